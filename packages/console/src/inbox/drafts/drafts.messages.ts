import { words } from '../../platform/text/words.ts'

export const text = words('inboxDrafts', {
  title: 'Drafted reply',
  use: 'Use draft',
  again: 'Write again',
  write: 'Draft a reply',
  dismiss: 'Dismiss',
  writing: 'A reply is being drafted.',
  failed: 'No reply could be drafted.',
  hint: 'Written by AI. Check it before you send it.',
})
