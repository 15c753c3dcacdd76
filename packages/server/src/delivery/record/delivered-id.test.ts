import { expect, test } from 'vitest'
import { parseDeliveredId, findReplacingId } from './delivered-id.ts'

const own = '<msg_1@sender.test>'
const sesId = '0100018c1f2e3d4c-0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9-000000'

test.each([
  [
    'Microsoft 365',
    '250 2.0.0 OK <AM0PR01@AM0PR01MB1.eurprd01.prod.exchangelabs.com> [Hostname=AM0PR01MB1.eurprd01.prod.exchangelabs.com]',
    'smtp.office365.com',
    '<AM0PR01@AM0PR01MB1.eurprd01.prod.exchangelabs.com>',
  ],
  ['Microsoft 365 that kept ours', `250 2.0.0 OK ${own} [Hostname=AM0PR01MB1.test]`, 'smtp.office365.com', null],
  [
    'Amazon SES in its first region',
    `250 Ok ${sesId}`,
    'email-smtp.us-east-1.amazonaws.com',
    `<${sesId}@email.amazonses.com>`,
  ],
  [
    'Amazon SES elsewhere',
    `250 Ok ${sesId}`,
    'email-smtp.eu-west-1.amazonaws.com',
    `<${sesId}@eu-west-1.amazonses.com>`,
  ],
  ['the same answer of another server', `250 Ok ${sesId}`, 'mail.sender.test', null],
  ['Gmail', '250 2.0.0 OK  1795600000 ffacd0b85a97d-42 - gsmtp', 'smtp.gmail.com', null],
  ['Postfix', '250 2.0.0 Ok: queued as 4XyZ1A2b3C', 'mail.sender.test', null],
  ['a server with a long reply', `250 2.0.0 OK <${'a'.repeat(2_000)}@b.test> [Hostname=b.test]`, 'b.test', null],
  ['a server that names another message of ours', '250 2.0.0 OK <msg_2@sender.test> [Hostname=c.test]', 'c.test', null],
  ['a server that breaks the line', '250 2.0.0 OK <a b@c.test> [Hostname=c.test]', 'c.test', null],
])('reads the Message-ID from the reply of %s', (_name, answer, smtpHost, expected) => {
  expect(parseDeliveredId(answer, { own, smtpHost })).toBe(expected)
})

test.each([
  own,
  '<msg_2.1@sender.test>',
  '<a\0b@c.test>',
  'a@b.test',
  '<a@b@c.test>',
  '<\xe4@b.test>',
  `<${'a'.repeat(501)}@b.test>`,
])("a copy in the Sent folder with %j doesn't replace the Message-ID", (seen) => {
  expect(findReplacingId(seen, own)).toBeNull()
})
