import { expect, test } from 'vitest'
import { foldersToRead } from './mailbox-session.client.ts'

test('the junk folder is read as junk, in any order of the folders', () => {
  expect(
    foldersToRead([
      { path: '[Gmail]/Spam', use: 'junk' },
      { path: 'Sent', use: 'sent' },
      { path: 'INBOX', use: 'inbox' },
      { path: '[Gmail]/All Mail', use: 'all' },
    ]),
  ).toEqual([
    { path: 'INBOX', all: false, junk: false },
    { path: '[Gmail]/Spam', all: false, junk: true },
    { path: '[Gmail]/All Mail', all: true, junk: false },
  ])
})
