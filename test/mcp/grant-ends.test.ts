import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { dayMs, minuteMs } from '@overture/ground/time/spans.ts'
import { answerConsent, GrantClient } from '@overture/testing/mcp/grant-client.ts'
import { allOfTest, callTool, connect, isAccepted, startGrantServer } from '@overture/testing/mcp/grant-world.ts'
import { createTestPerson, type TestPerson } from '@overture/testing/server/people.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { assistantsPeriodic } from '@overture/server/assistants/index.ts'
import { endAccount } from '@overture/server/composition/account-end.shell.ts'
import { openAccount } from '@overture/server/composition/operator.commands.ts'

let nowMs = Date.now()
let server: TestServer
let second: TestServer
let owner: TestPerson
beforeAll(async () => {
  const clock = { now: () => new Date(nowMs) }
  server = await startGrantServer({ clock })
  // Another process of the same installation: it shares the database, the keys and the public URL, and nothing else.
  second = await startGrantServer({ clock, database: server.database, publicUrl: server.url })
  owner = await createTestPerson(server)
})
afterAll(async () => {
  await second.stop()
  await server.stop()
})

interface Stored {
  grants: number
  records: number
}

/** The rows of the newest grant of a user, after the housekeeping. */
async function storedFor(grantId: string): Promise<Stored> {
  await assistantsPeriodic.run(server.app, new Date(nowMs))
  const [row] = await server.database.db.query<Stored>(
    `select (select count(*)::int from assistant_grants g join api_keys k on k.id = g.key_id
         where g.id = $1 and k.revoked_at is null) as grants,
       (select count(*)::int from assistant_records where grant_id = $1) as records`,
    [grantId],
  )
  return row!
}

async function newestGrant(person: TestPerson): Promise<{ id: string; environment: string; scopes: string[] }> {
  const { body } = await person.call('GET', '/v2/account/grants')
  return body.results[0]
}

describe('two processes', () => {
  test('one accepts the code and the tokens that the other issued', async () => {
    const client = await GrantClient.register(server.url)
    const { status, body } = await client.at(second.url).redeem(await client.code(owner, allOfTest))
    expect(status).toBe(200)
    expect([await isAccepted(server.url, body.access_token), await isAccepted(second.url, body.access_token)]).toEqual([
      true,
      true,
    ])
    expect((await client.refresh(body.refresh_token)).status).toBe(200)
  })

  test('one refuses at the next request what was revoked at the other', async () => {
    const { client, tokens } = await connect(server, owner)
    expect(await isAccepted(second.url, tokens.access_token)).toBe(true)
    const { id } = await newestGrant(owner)
    expect((await owner.call('DELETE', `/v2/account/grants/${id}`)).status).toBe(200)
    expect(await isAccepted(second.url, tokens.access_token)).toBe(false)
    expect((await client.at(second.url).refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('a code that both redeem at once is accepted by one', async () => {
    const client = await GrantClient.register(server.url)
    const code = await client.code(owner, allOfTest)
    const answers = await Promise.all([client.redeem(code), client.at(second.url).redeem(code)])
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400])
  })
})

describe('by the clock', () => {
  test('a code ends after a minute', async () => {
    const client = await GrantClient.register(server.url)
    const [early, late] = [await client.code(owner, allOfTest), await client.code(owner, allOfTest)]
    nowMs += 59_000
    expect((await client.redeem(early)).status).toBe(200)
    nowMs += 1_000
    expect((await client.redeem(late)).body.error).toBe('invalid_grant')
  })

  test('an access token ends after ten minutes, and a refresh replaces it', async () => {
    const { client, tokens } = await connect(server, owner)
    nowMs += 599_000
    expect(await isAccepted(server.url, tokens.access_token)).toBe(true)
    nowMs += 1_000
    expect(await isAccepted(server.url, tokens.access_token)).toBe(false)
    const { body } = await client.refresh(tokens.refresh_token)
    expect(await isAccepted(server.url, body.access_token)).toBe(true)
  })

  test('a request for access ends after ten minutes', async () => {
    const client = await GrantClient.register(server.url)
    const late = answerConsent(client.authorizeUrl(), owner, allOfTest, { beforeAnswer: () => void (nowMs += 600_000) })
    await expect(late).rejects.toThrow('This request for access is over.')
  })

  test('a refresh token ends after thirty days without use', async () => {
    const person = await createTestPerson(server)
    const { client, tokens } = await connect(server, person)
    nowMs += 30 * dayMs - 1_000
    const { status, body } = await client.refresh(tokens.refresh_token)
    expect(status).toBe(200)
    nowMs += 30 * dayMs
    expect((await client.refresh(body.refresh_token)).body.error).toBe('invalid_grant')
  })
})

describe('the end of a grant', () => {
  test('comes with the end of its user, and nothing of it stays', async () => {
    const admin = await createTestPerson(server)
    const member = await createTestPerson(server, { role: 'member' })
    const { client, tokens } = await connect(server, member)
    const { id } = await newestGrant(member)
    expect(await storedFor(id)).toEqual({ grants: 1, records: 4 })
    expect((await admin.call('DELETE', `/v2/users/${member.id}`)).status).toBe(200)
    expect(await isAccepted(server.url, tokens.access_token)).toBe(false)
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect(await storedFor(id)).toEqual({ grants: 0, records: 0 })
  })

  test('comes with the end of its account, and nothing of it stays', async () => {
    const { accountId } = await server.app.db.transaction((tx) =>
      openAccount(tx, { name: 'Ending', plan: 'trial', now: new Date(nowMs) }),
    )
    const person = await createTestPerson(server, { accountId })
    const { client, tokens } = await connect(server, person)
    const { id } = await newestGrant(person)
    expect(await isAccepted(server.url, tokens.access_token)).toBe(true)
    await endAccount(server.app, accountId)
    expect(await isAccepted(server.url, tokens.access_token)).toBe(false)
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect(await storedFor(id)).toEqual({ grants: 0, records: 0 })
  })

  test('comes with the second use of a refresh token', async () => {
    const person = await createTestPerson(server)
    const { client, tokens } = await connect(server, person)
    const { id } = await newestGrant(person)
    await client.refresh(tokens.refresh_token)
    await client.refresh(tokens.refresh_token)
    expect(await storedFor(id)).toEqual({ grants: 0, records: 0 })
    expect(
      (await person.call('GET', '/v2/account/grants')).body.results.map((one: { id: string }) => one.id),
    ).not.toContain(id)
  })

  test('comes half an hour after an answer if its client has no tokens, and not for a grant in use', async () => {
    const person = await createTestPerson(server)
    const used = await connect(server, person)
    const ids = [(await newestGrant(person)).id]
    // One client never fetches its tokens. For the other one, the process stopped before the library had stored the grant.
    for (const isStored of [true, false]) {
      await (await GrantClient.register(server.url)).code(person, allOfTest)
      const { id } = await newestGrant(person)
      ids.push(id)
      if (!isStored) await server.database.db.execute('delete from assistant_records where grant_id = $1', [id])
    }
    const working = async () => Promise.all(ids.map(async (id) => (await storedFor(id)).grants))
    nowMs += 29 * minuteMs
    expect(await working()).toEqual([1, 1, 1])
    nowMs += 2 * minuteMs
    expect(await working()).toEqual([1, 0, 0])
    expect((await person.call('GET', '/v2/account/grants')).body.results).toMatchObject([{ id: ids[0] }])
    const { body } = await used.client.refresh(used.tokens.refresh_token)
    expect(await isAccepted(server.url, body.access_token)).toBe(true)
    nowMs += 31 * dayMs
    expect(await working()).toEqual([0, 0, 0])
  })

  test('comes with a disabled user', async () => {
    const admin = await createTestPerson(server)
    const member = await createTestPerson(server, { role: 'member' })
    const { tokens } = await connect(server, member)
    const path = `/v2/users/${member.id}`
    const changed = await admin.call('PUT', path, {
      body: { status: 'disabled' },
      headers: { 'x-overture-environment': 'live' },
    })
    expect(changed.status).toBe(200)
    expect(await isAccepted(server.url, tokens.access_token)).toBe(false)
  })
})

describe('the rights of a grant', () => {
  const suppress = (email: string) => ({ name: 'suppress', input: { email } })

  test('shrink with the role of its user', async () => {
    const admin = await createTestPerson(server)
    const member = await createTestPerson(server, { role: 'member' })
    const { tokens } = await connect(server, member)
    const before = await callTool(server.url, tokens.access_token, suppress('before@example.com'))
    expect(before.text).not.toContain('"isError":true')
    const changed = await admin.call('PUT', `/v2/users/${member.id}`, {
      body: { role: 'viewer' },
      headers: { 'x-overture-environment': 'live' },
    })
    expect([changed.status, changed.body.error]).toEqual([200, undefined])
    const after = await callTool(server.url, tokens.access_token, suppress('after@example.com'))
    expect([after.status, after.text]).toEqual([200, expect.stringContaining('"isError":true')])
    const { body } = await admin.call('GET', '/v2/suppressions?limit=100')
    const emails = body.results.map(({ email }: { email: string }) => email)
    expect([emails.includes('before@example.com'), emails.includes('after@example.com')]).toEqual([true, false])
    expect(await isAccepted(server.url, tokens.access_token)).toBe(true)
  })

  test.each([
    ['test', ['read', 'write', 'send'], 'live'],
    ['live', ['read', 'live'], 'test'],
  ] as const)('of the %s environment stay there, whatever a request names', async (environment, scopes, other) => {
    const person = await createTestPerson(server, { environment })
    const { tokens } = await connect(server, person, { allow: true, environment, scopes: [...scopes] })
    const headers = { 'x-overture-environment': other }
    const { text } = await callTool(server.url, tokens.access_token, { name: 'overview', headers })
    expect(text).toContain(`\\"environment\\":\\"${environment}\\"`)
    expect((await newestGrant(person)).environment).toBe(environment)
  })

  test.each([
    [['read'], []],
    [['read', 'write'], ['suppress']],
    [
      ['read', 'write', 'send'],
      ['suppress', 'send'],
    ],
  ])('%j open no other tools', async (scopes, opened) => {
    const { tokens } = await connect(server, owner, { ...allOfTest, scopes })
    const client = new Client(
      { name: 'assistant', version: '1.0.0' },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url), { requestInit: { headers } }))
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(['suppress', 'send'].filter((name) => names.includes(name))).toEqual(opened)
    if (!opened.includes('send'))
      await expect(client.callTool({ name: 'send', arguments: {} })).rejects.toThrow(/not found/i)
    await client.close()
  })
})
