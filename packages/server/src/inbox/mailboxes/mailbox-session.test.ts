import { expect, test } from 'vitest'
import { foldersToRead, findSentFolder } from './mailbox-session.client.ts'

const folders = [
  { path: '[Gmail]/Spam', use: 'junk' },
  { path: 'Sent', use: 'sent' },
  { path: 'INBOX', use: 'inbox' },
  { path: '[Gmail]/All Mail', use: 'all' },
] as const

test('the inbox, junk, All Mail and sent mail are read, each as what it is', () => {
  expect(foldersToRead(folders, 'Sent')).toEqual([
    { path: 'INBOX', all: false, junk: false, sent: false },
    { path: '[Gmail]/Spam', all: false, junk: true, sent: false },
    { path: '[Gmail]/All Mail', all: true, junk: false, sent: false },
    { path: 'Sent', all: false, junk: false, sent: true },
  ])
})

test.each([null, 'INBOX'])('sent mail is not read twice if its folder is %s', (sentFolder) => {
  expect(foldersToRead(folders, sentFolder).filter(({ sent }) => sent)).toEqual([])
})

test.each([
  [['INBOX', 'Sent', 'Gesendet \\Sent'], 'Gesendet'],
  [['INBOX', 'INBOX.Sent'], 'INBOX.Sent'],
  [['INBOX', 'Gesendete Elemente'], 'Gesendete Elemente'],
  [['INBOX', 'INBOX/E\u0301le\u0301ments envoye\u0301s'], 'INBOX/E\u0301le\u0301ments envoye\u0301s'],
  [['INBOX', 'Absent', 'Sent invoices', 'Archive/Sent'], null],
])('of the folders %j, sent mail is in %j', (names, sent) => {
  const folders = names.map((name) => ({
    path: name.replace(' \\Sent', ''),
    use: name.endsWith('\\Sent') ? ('sent' as const) : null,
  }))
  expect(findSentFolder(folders)).toBe(sent)
})
