import type { ConversationWithMessages } from '@overture/sdk'
import { expect, test } from 'vitest'
import { replyRecipient } from './reply-recipient.ts'

type Message = ConversationWithMessages['messages'][number]
const address = (email: string) => ({ email, name: null })
const message = (fields: Partial<Message>): Message =>
  ({
    id: 'msg_1',
    messageId: '<1@example.com>',
    kind: 'reply',
    direction: 'inbound',
    status: 'received',
    to: [],
    ...fields,
  }) as Message
const sent = message({ direction: 'outbound', kind: 'campaign', status: 'sent', to: [address('ada@acme.test')] })

test.each<[string, Message[], unknown]>([
  ['no message', [], null],
  ['our own message alone', [sent], { messageId: 'msg_1', email: 'ada@acme.test', insteadOf: null }],
  [
    'a reply',
    [sent, message({ from: address('ada@acme.test') })],
    { messageId: 'msg_1', email: 'ada@acme.test', insteadOf: null },
  ],
  [
    'a Reply-To at the same domain',
    [message({ from: address('ada@acme.test'), classification: { replyTo: [address('help@ACME.test')] } })],
    { messageId: 'msg_1', email: 'help@ACME.test', insteadOf: null },
  ],
  [
    'a Reply-To at another domain, of which the first counts',
    [
      message({
        from: address('ada@acme.test'),
        classification: { replyTo: [address('x@evil.test'), address('y@evil.test')] },
      }),
    ],
    { messageId: 'msg_1', email: 'x@evil.test', insteadOf: 'ada@acme.test' },
  ],
  [
    'a bounce after a reply',
    [message({ from: address('ada@acme.test') }), message({ kind: 'bounce' })],
    { messageId: 'msg_1', email: 'ada@acme.test', insteadOf: null },
  ],
])('%s determines where a reply goes', (_name, messages, expected) => {
  expect(replyRecipient(messages)).toEqual(expected)
})
