import { expect, test } from 'vitest'
import { foldersToRead } from './mailbox-session.client.ts'

test('what a provider took for junk is read as that, wherever the inbox stands', () => {
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
