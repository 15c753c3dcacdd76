import { expect, test } from 'vitest'
import { foldersToRead } from './mailbox-session.client.ts'

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
