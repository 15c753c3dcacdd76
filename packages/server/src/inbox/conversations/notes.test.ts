import { answeringLead } from '@overture/testing/inbox/answering-lead.ts'
import { createTestPerson, type TestPerson } from '@overture/testing/server/people.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
let senderId: string
let ada: TestPerson
let member: TestPerson

const call = (method: string, path: string, body?: unknown, key = server.keys.test) =>
  server.call(method, path, { key, body })

beforeAll(async () => {
  server = await startWholeServer()
  const sender = { email: 'sender@example.com', fromName: 'Sender', provider: 'sandbox' }
  senderId = (await call('POST', '/v2/sending-accounts', sender)).body.id
  ada = await createTestPerson(server, { role: 'member' })
  member = await createTestPerson(server, { role: 'member' })
})
afterAll(() => server.stop())

const lead = () => answeringLead(server, { senderId, now: server.app.clock.now() })
const notesOf = async (path: string) => (await call('GET', path)).body.notes

describe('a note', () => {
  test('is shown in its conversation with author and time, and named in an event without its text', async () => {
    const one = await lead()
    const text = '<script>alert(1)</script> Ask {{ firstName }} about\nthe data centre.'
    const { status, body } = await ada.call('POST', `${one.path}/notes`, { body: { text, mentions: [member.id] } })
    expect(status).toBe(201)
    expect(body).toMatchObject({ text, mentions: [member.id], author: { type: 'user', id: ada.id, name: 'A member' } })
    expect(await notesOf(one.path)).toEqual([body])
    const { results } = (await call('GET', '/v2/events?type=conversation.noted')).body
    expect(results[0]).toMatchObject({
      actor: { id: ada.id },
      data: { conversationId: one.conversationId, noteId: body.id, mentions: [member.id], leadId: one.leadId },
    })
    expect(JSON.stringify(results[0])).not.toContain('data centre')
  })

  test('is never sent or quoted, and changes nothing about the conversation', async () => {
    const one = await lead()
    const before = (await call('GET', one.path)).body
    await ada.call('POST', `${one.path}/notes`, { body: { text: 'A secret thought.' } })
    const { notes, ...after } = (await call('GET', one.path)).body
    expect({ ...after, notes: [] }).toEqual(before)
    await call('POST', `${one.path}/reply`, { text: 'Gladly.' })
    await call('POST', '/v2/sandbox/clock/advance', { by: '1h' })
    const [sent] = (await call('GET', '/v2/sandbox/messages')).body.results
    const whole = JSON.stringify((await call('GET', `/v2/sandbox/messages/${sent.id}`)).body)
    expect(whole).toContain('Gladly.')
    expect(whole).not.toContain('secret thought')
    expect(notes).toHaveLength(1)
    const { status } = await call('PUT', one.path, { notes: [] })
    expect(status).toBe(400)
  })

  test('is deleted by its author or an admin, and by no other member', async () => {
    const one = await lead()
    const add = async () => (await ada.call('POST', `${one.path}/notes`, { body: { text: 'One.' } })).body.id as string
    const [first, second] = [await add(), await add()]
    expect((await member.call('DELETE', `${one.path}/notes/${first}`)).status).toBe(403)
    expect((await ada.call('DELETE', `${one.path}/notes/${first}`)).body).toEqual({ id: first, deleted: true })
    const owner = await createTestPerson(server, { role: 'admin' })
    expect((await owner.call('DELETE', `${one.path}/notes/${second}`)).status).toBe(200)
    expect(await notesOf(one.path)).toEqual([])
    expect((await owner.call('DELETE', `${one.path}/notes/${second}`)).status).toBe(404)
  })

  test.each([
    ['without a text', { text: '  ' }, 'text'],
    ['with a text that is too long', { text: 'x'.repeat(4_001) }, 'text'],
    ['for an unknown user', { text: 'x', mentions: ['usr_nothing'] }, 'mentions[0]'],
    ['for too many users', { text: 'x', mentions: Array(21).fill('usr_1') }, 'mentions'],
    ['with an unknown field', { text: 'x', to: 'a@example.com' }, 'to'],
  ])('%s is refused', async (_, body, path) => {
    const one = await lead()
    const answer = await call('POST', `${one.path}/notes`, body)
    expect([answer.status, answer.body.error.details.issues[0].path]).toEqual([400, path])
  })

  test('is out of reach for other accounts and other conversations', async () => {
    const [one, other] = [await lead(), await lead()]
    const { body } = await ada.call('POST', `${one.path}/notes`, { body: { text: 'One.' } })
    const foreign = server.other.keys.test
    expect((await call('POST', `${one.path}/notes`, { text: 'x' }, foreign)).status).toBe(404)
    expect((await call('DELETE', `${one.path}/notes/${body.id}`, undefined, foreign)).status).toBe(404)
    expect((await ada.call('DELETE', `${other.path}/notes/${body.id}`)).status).toBe(404)
  })

  test('is exported with the person and erased with them', async () => {
    const one = await lead()
    await ada.call('POST', `${one.path}/notes`, { body: { text: 'Likes long walks.' } })
    const people = (await call('GET', `/v2/leads?q=${one.email}`)).body.results
    const exported = await call('GET', `/v2/leads/${people[0].id}/export`)
    expect(exported.body.notes).toMatchObject([{ text: 'Likes long walks.' }])
    expect((await call('DELETE', `/v2/leads/${people[0].id}`)).status).toBe(200)
    const left = await server.app.db.query(`select 1 from conversation_notes where text = 'Likes long walks.'`)
    expect(left).toEqual([])
  })
})
