import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userLeft } from '@overture/server/composition/user-left.commands.ts'
import { changeUser } from '@overture/server/team/index.ts'
import { createTestPerson, type TestPerson } from '@overture/testing/server/people.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
let [owner, ada, eve]: TestPerson[] = []
beforeAll(async () => {
  server = await startWholeServer()
  owner = await createTestPerson(server, { role: 'owner' })
  ada = await createTestPerson(server, { role: 'member' })
  eve = await createTestPerson(server, { role: 'member' })
})
afterAll(() => server.stop())

let count = 0
/** Inserts a conversation with a reply, as the inbox reader stores it. */
async function makeConversation(): Promise<string> {
  const id = `thr_owned${++count}`
  await server.app.db.execute(
    `insert into threads (account_id, environment, id, sending_account_id, subject, is_conversation, last_message_at, created_at)
     values ($1, 'test', $2, 'snd_1', 'Re: Hello', true, now(), now())`,
    [server.tenant.accountId, id],
  )
  return `/v2/conversations/${id}`
}
async function makeCampaign(): Promise<string> {
  const { body } = await ada!.call('POST', '/v2/campaigns', { body: { name: 'Mine', ownerId: ada!.id } })
  return `/v2/campaigns/${body.id}`
}
const ownerOf = async (path: string) => (await owner!.call('GET', path)).body.ownerId

describe.each([
  ['a campaign', makeCampaign, '/v2/campaigns'],
  ['a conversation', makeConversation, '/v2/conversations'],
] as const)('%s', (_what, make, list) => {
  test('has an owner that can be set, put back, removed and used as a filter', async () => {
    const path = await make()
    expect((await eve!.call('PUT', path, { body: { ownerId: eve!.id } })).body.ownerId).toBe(eve!.id)
    const { body: shown } = await ada!.call('GET', path)
    expect((await ada!.call('PUT', path, { body: shown })).body.ownerId).toBe(eve!.id)
    const listed = async (who: TestPerson) =>
      (await ada!.call('GET', `${list}?ownerId=${who.id}`)).body.results.map(({ id }: { id: string }) => id)
    const id = path.split('/').at(-1)
    expect([(await listed(eve!)).includes(id), (await listed(ada!)).includes(id)]).toEqual([true, false])
    expect((await ada!.call('PUT', path, { body: { ownerId: null } })).body.ownerId).toBeNull()
    expect(await listed(eve!)).not.toContain(id)
  })

  test("can't be owned by an unknown, foreign or disabled user", async () => {
    const path = await make()
    const foreign = await createTestPerson(server, { accountId: server.other.tenant.accountId })
    const gone = await createTestPerson(server, { role: 'member' })
    await owner!.call('PUT', `/v2/users/${gone.id}`, { body: { status: 'disabled' } })
    const before = await ownerOf(path)
    for (const ownerId of ['usr_unknown', foreign.id, gone.id]) {
      const refused = await ada!.call('PUT', path, { body: { ownerId } })
      expect([ownerId, refused.status]).toEqual([ownerId, 404])
    }
    expect(await ownerOf(path)).toBe(before)
  })

  test.each(['disabled', 'deleted', 'disabled by the operator'])('has no owner after its owner is %s', async (how) => {
    const person = await createTestPerson(server, { role: 'member' })
    const [theirs, ours] = [await make(), await make()]
    await owner!.call('PUT', theirs, { body: { ownerId: person.id } })
    await owner!.call('PUT', ours, { body: { ownerId: ada!.id } })
    const path = `/v2/users/${person.id}`
    if (how === 'deleted') await owner!.call('DELETE', path)
    else if (how === 'disabled') await owner!.call('PUT', path, { body: { status: 'disabled' } })
    else {
      const { accountId } = server.tenant
      const change = { accountId, userId: person.id, actorRole: 'owner', status: 'disabled', userLeft } as const
      await server.app.db.transaction((tx) => changeUser(tx, { ...change, now: server.app.clock.now() }))
    }
    expect([await ownerOf(theirs), await ownerOf(ours)]).toEqual([null, ada!.id])
  })
})

test('many conversations get an owner at once, or none of them', async () => {
  const paths = [await makeConversation(), await makeConversation()]
  const ids = paths.map((path) => path.split('/').at(-1))
  const give = (ownerId: string) => ada!.call('POST', '/v2/conversations/bulk', { body: { ids, ownerId } })
  expect((await give('usr_unknown')).status).toBe(404)
  expect((await give(eve!.id)).body.results).toHaveLength(2)
  expect(await Promise.all(paths.map(ownerOf))).toEqual([eve!.id, eve!.id])
})

test('a copied campaign keeps its owner', async () => {
  const path = await makeCampaign()
  expect((await eve!.call('POST', `${path}/copy`, { body: {} })).body.ownerId).toBe(ada!.id)
})
