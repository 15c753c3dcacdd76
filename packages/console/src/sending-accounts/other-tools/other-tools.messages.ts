import { words } from '../../platform/text/words.ts'

export const text = words('otherTools', {
  title: 'Another tool in this mailbox',
  about:
    'There is no warm-up here, on purpose. Mailboxes that open each other’s mail improve statistics and nothing for ' +
    'recipients, and providers forbid it. If another tool uses this mailbox, reserve its messages and name its mail.',
  reserved: 'Messages per day of the other tool',
  reservedHint: 'They are subtracted from the messages per day of this account.',
  rule: (number: string) => `Ignored mail ${number}`,
  place: (number: string) => `Where to look for rule ${number}`,
  contains: (number: string) => `Text of rule ${number}`,
  containsHint: 'Mail that contains this text is not read as a reply.',
  places: { header: 'Header', subject: 'Subject', body: 'Text' },
  add: 'Add a rule',
  remove: (number: string) => `Remove rule ${number}`,
  save: 'Save the rules',
})
