import { words } from '../../platform/text/words.ts'

export const text = words('inboxNotes', {
  add: 'Add note',
  form: 'New note',
  note: 'Note',
  hint: 'Only your colleagues see notes. They are never sent.',
  mention: 'Mention',
  save: 'Save note',
  cancel: 'Cancel',
  reason: 'Write a note first.',
  by: (name: string) => `Note by ${name}`,
  mentions: (names: string) => `For ${names}`,
  unknownAuthor: 'a former user',
  formerUser: 'former user',
  remove: 'Delete note',
  removeTitle: 'Delete this note?',
  removeText: 'The note is deleted permanently.',
  removed: 'Note deleted',
})
