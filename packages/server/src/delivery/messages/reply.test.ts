import { describe, expect, test } from 'vitest'
import { messageToAnswer, recipientsOfReply, referencesOfReply, senderOfReply, type ThreadMessage } from './reply.ts'

const lead = { email: 'ada@example.com', name: 'Ada' }
const first: ThreadMessage = {
  id: 'msg_1',
  threadId: 'thr_1',
  direction: 'outbound',
  kind: 'campaign',
  status: 'sent',
  rfcMessageId: '<1@sender.test>',
  inReplyTo: null,
  refs: [],
  sendingAccountId: 'snd_1',
  fromAddress: { email: 'sales@sender.test', name: null },
  toAddresses: [lead],
  classification: null,
}
const reply: ThreadMessage = {
  ...first,
  id: 'msg_2',
  direction: 'inbound',
  kind: 'reply',
  status: 'received',
  rfcMessageId: '<2@example.com>',
  refs: ['<1@sender.test>'],
  sendingAccountId: 'snd_2',
  fromAddress: lead,
  toAddresses: [],
}
const bounce: ThreadMessage = { ...reply, id: 'msg_3', kind: 'bounce', rfcMessageId: '<3@example.com>' }
const queued: ThreadMessage = { ...first, id: 'msg_4', kind: 'manual', status: 'queued', rfcMessageId: null }
const later: ThreadMessage = { ...first, id: 'msg_5', rfcMessageId: '<5@sender.test>', refs: ['<1@sender.test>'] }

describe('a reply', () => {
  test.each([
    ['the last incoming message', [first, reply, later], undefined, 'msg_2'],
    ['the last sent message if nothing came in', [first, later], undefined, 'msg_5'],
    ['no bounce', [first, reply, bounce], undefined, 'msg_2'],
    ['no message that is still queued', [queued], undefined, undefined],
    ['what is named', [first, reply, later], 'msg_1', 'msg_1'],
    ['no bounce, even if it is named', [first, bounce], 'msg_3', undefined],
    ['nothing of another thread', [first], 'msg_9', undefined],
  ])('replies to %s', (_what, messages, named, id) => {
    expect(messageToAnswer(messages, named)?.id).toBe(id)
  })

  test('is sent from the mailbox of the thread, wherever the incoming message arrived', () => {
    expect(senderOfReply([first, reply], reply)).toBe('snd_1')
    expect(senderOfReply([{ ...first, threadId: 'thr_2' }, reply], reply)).toBe('snd_2')
  })

  test('goes to the writer, or again to the recipient of our last message', () => {
    expect(recipientsOfReply(reply)).toEqual([lead])
    expect(recipientsOfReply(first)).toEqual([lead])
    expect(recipientsOfReply({ ...reply, fromAddress: null })).toEqual([])
    const assistant = { email: 'assistant@example.com', name: null }
    expect(recipientsOfReply({ ...reply, classification: { replyTo: [assistant] } })).toEqual([assistant])
    expect(recipientsOfReply({ ...reply, classification: { replyTo: [] } })).toEqual([lead])
  })

  test('has the References of the message, completed from the thread, at most 50', () => {
    expect(referencesOfReply([first, reply], reply)).toEqual(['<1@sender.test>', '<2@example.com>'])
    const bare = { ...reply, refs: [] }
    expect(referencesOfReply([first, bare, later], bare)).toEqual(['<1@sender.test>', '<2@example.com>'])
    const long = { ...reply, refs: Array.from({ length: 80 }, (_, index) => `<${index}@example.com>`) }
    const refs = referencesOfReply([first, long], long)
    expect(refs).toHaveLength(50)
    expect(refs.at(-1)).toBe('<2@example.com>')
  })
})
