import { words } from '../platform/text/words.ts'

export const text = words('tags', {
  title: 'Tags',
  tag: 'Tag',
  any: 'Any tag',
  none: 'No tags yet. A tag finds campaigns, people and sending accounts by a word.',
  newTag: 'New tag',
  add: 'Add tag',
  choose: 'Tag to add',
  chooseOne: 'Choose a tag',
  assign: 'Add',
  remove: (name: string) => `Remove ${name}`,
})
