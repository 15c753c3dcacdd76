import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { deliverDue, smtpOver, toolsOver } from '@overture/testing/delivery/delivery-by-hand.ts'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startOAuthDouble, type OAuthDouble } from '@overture/testing/mail/oauth-double.server.ts'
import { startProviderSmtp, type ProviderSmtp } from '@overture/testing/mail/provider-smtp.server.ts'
import { gmail, microsoft } from '@overture/testing/mail/provider-words.ts'
import { Overture, type TextBody } from '@overture/sdk'
import { builtCli } from '@overture/testing/programs/program.ts'
import { anyTime } from '@overture/testing/schedules.ts'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { createSmtpPool, type SmtpPool } from '@overture/server/platform/mail/smtp-pool.client.ts'
import { createInboxWorker } from '../packages/server/src/inbox/index.ts'

/** A campaign with mailboxes of organizations that an administrator connected, without consent of the mailboxes' owners. */
const tenantId = '11111111-aaaa-4bbb-8ccc-0123456789ab'
const clientId = '33333333-aaaa-4bbb-8ccc-0123456789ab'
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const robot = 'robot@project.iam.gserviceaccount.com'
const organizations = {
  microsoft: { provider: 'microsoft', tenantId, clientId, clientSecret: 'right secret' },
  google: {
    provider: 'google',
    adminEmail: 'ada@google.test',
    serviceAccountKey: {
      type: 'service_account',
      client_email: robot,
      client_id: '104357',
      private_key_id: 'key1',
      private_key: privateKey,
    },
  },
}
type Provider = keyof typeof organizations
const providers = ['microsoft', 'google'] as const
const mailboxesOf = (provider: Provider) => [`ada@${provider}.test`, `bo@${provider}.test`]

const doubles = {} as Record<Provider, { oauth: OAuthDouble; smtp: ProviderSmtp; imap: ImapDouble }>
let server: TestServer
let pool: SmtpPool

beforeAll(async () => {
  for (const provider of providers) {
    const mailboxes = mailboxesOf(provider)
    const tokens: Record<string, string[]> = Object.fromEntries(mailboxes.map((mailbox) => [mailbox, []]))
    const oauth = await startOAuthDouble({
      provider,
      applications: { [clientId]: { tenantId, clientSecret: 'right secret', mailboxes } },
      serviceAccounts: { [robot]: { keyId: 'key1', publicKey, scopes: ['https://mail.google.com/'], mailboxes } },
    })
    oauth.onToken = (token, mailbox) => void tokens[mailbox]?.push(token)
    const words = provider === 'google' ? gmail : microsoft
    const smtp = await startProviderSmtp({ words, tokens })
    const imap = await startImapDouble({ users: {}, tokens, words: words.imap })
    doubles[provider] = { oauth, smtp, imap }
  }
  server = await startWholeServer({
    environment: {
      OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
      MICROSOFT_OAUTH_AUTHORITY_URL: doubles.microsoft.oauth.url,
      MICROSOFT_SMTP_URL: `smtp://127.0.0.1:${doubles.microsoft.smtp.port}?starttls`,
      MICROSOFT_IMAP_URL: `imap://127.0.0.1:${doubles.microsoft.imap.port}`,
      GOOGLE_OAUTH_TOKEN_URL: `${doubles.google.oauth.url}/token`,
      GOOGLE_SMTP_URL: `smtp://127.0.0.1:${doubles.google.smtp.port}?starttls`,
      GOOGLE_IMAP_URL: `imap://127.0.0.1:${doubles.google.imap.port}`,
    },
  })
  pool = createSmtpPool()
  await call('PUT', '/v2/account', { postalAddress: '1 Main St, Town' })
})
afterAll(async () => {
  await pool.close()
  await server.stop()
  for (const { oauth, smtp, imap } of Object.values(doubles))
    await Promise.all([oauth.stop(), smtp.stop(), imap.stop()])
})

async function call(method: string, path: string, body?: unknown): Promise<AnswerBody> {
  const answer = await server.call(method, path, { key: server.keys.live, body })
  expect([path, answer.status < 300, answer.status < 300 ? null : answer.body]).toEqual([path, true, null])
  return answer.body
}

const headerOf = (raw: string, name: string) =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(raw.replaceAll('\r\n ', ' ').replaceAll('\r', ''))?.[1] ?? ''

/** Starts a campaign from all mailboxes of a connected organization to a lead of each name. */
async function startCampaign(provider: Provider, names: readonly string[] = ['lin', 'max']) {
  const connection = await call('POST', '/v2/tenant-connections', organizations[provider])
  const added = await call('POST', `/v2/tenant-connections/${connection.id}/mailboxes`, {
    mailboxes: mailboxesOf(provider).map((email) => ({ email })),
  })
  const senders: string[] = added.results.map((one: { sendingAccountId: string }) => one.sendingAccountId)
  for (const sender of senders)
    await call('PUT', `/v2/sending-accounts/${sender}`, { minGapSeconds: 0, maxGapSeconds: 0 })
  const campaign = await call('POST', '/v2/campaigns', {
    name: provider,
    sendingAccountIds: senders,
    schedule: { timezone: 'UTC', ...anyTime },
    steps: [{ variants: [{ subject: 'Hello', body: 'Hi' }] }],
  })
  const leads = names.map((name) => ({ email: `${name}@${provider}-lead.test` }))
  await call('POST', `/v2/campaigns/${campaign.id}/leads`, { leads })
  await call('POST', `/v2/campaigns/${campaign.id}/start`)
  return { campaignId: campaign.id as string, connectionId: connection.id as string, senders }
}

describe.each(providers)('an organization at %s', (provider) => {
  test("sends a campaign and reads the replies without any owner's login", async () => {
    const { oauth, smtp, imap } = doubles[provider]
    const { campaignId, senders } = await startCampaign(provider)
    await deliverDue(toolsOver(server.app, smtpOver(server.app, pool)), server.tenant, server.app.clock.now())
    expect(smtp.messages).toHaveLength(2)
    expect(new Set(smtp.mechanisms)).toEqual(new Set(['XOAUTH2']))
    const from = smtp.messages.map((raw) => /<([^>]+)>/.exec(headerOf(raw, 'From'))?.[1] ?? '')
    expect(from.toSorted()).toEqual(mailboxesOf(provider))

    const worker = createInboxWorker(server.app, { tickMs: 50, pollMs: 300 })
    await worker.start()
    try {
      for (const [index, raw] of smtp.messages.entries())
        imap.deliver(from[index] ?? '', replyTo(headerOf(raw, 'Message-ID'), headerOf(raw, 'To')))
      const replied = async () => {
        const { results } = await call('GET', `/v2/campaigns/${campaignId}/leads`)
        return results.map((lead: { replyCount: number }) => lead.replyCount)
      }
      await vi.waitFor(async () => expect(await replied()).toEqual([1, 1]), { timeout: 60_000, interval: 50 })
    } finally {
      await worker.stop()
    }
    // Microsoft issues one token for all mailboxes, in addition to the one of the connection's own check.
    const tokens = oauth.requests.length
    expect(tokens).toBe(provider === 'microsoft' ? 2 : 3)
    for (const sender of senders)
      expect(await call('GET', `/v2/sending-accounts/${sender}`)).toMatchObject({ status: 'active', lastError: null })
  })

  test('shares the recipients per day that are set for it', async () => {
    const { campaignId, connectionId } = await startCampaign(provider, ['mia', 'noa', 'oto'])
    const path = `/v2/tenant-connections/${connectionId}`
    const suggestedDailyExternalRecipients = provider === 'microsoft' ? 10_312 : null
    const limited = await call('PUT', path, { dailyExternalRecipients: 2 })
    expect(limited).toMatchObject({ id: connectionId, dailyExternalRecipients: 2, suggestedDailyExternalRecipients })
    expect(await call('GET', path)).toEqual(limited)
    const { messages } = doubles[provider].smtp
    const before = messages.length
    const deliver = () =>
      deliverDue(toolsOver(server.app, smtpOver(server.app, pool)), server.tenant, server.app.clock.now())
    await deliver()
    expect(messages).toHaveLength(before + 2)
    const { results } = await call('GET', `/v2/campaigns/${campaignId}/leads`)
    const held = results.filter((lead: { blockedReason: string | null }) => lead.blockedReason === 'sender_daily_limit')
    expect(held).toHaveLength(1)
    const { gates } = await call('GET', `/v2/campaigns/${campaignId}/leads/${held[0].id}/explain`)
    const gate = gates.find((one: { gate: string }) => one.gate === 'sender_daily_limit')
    const name = provider === 'microsoft' ? tenantId : 'google.test'
    expect(gate.detail).toContain(`2 of 2 recipients of all senders of ${name}`)
    expect(await call('PUT', path, { dailyExternalRecipients: null })).toMatchObject({ dailyExternalRecipients: null })
    await deliver()
    expect(messages).toHaveLength(before + 3)
  })
})

function replyTo(messageId: string, to: string): string {
  const lead = /<?([^<>\s]+@[^<>\s]+)>?$/.exec(to)?.[1] ?? ''
  return [
    `From: <${lead}>`,
    'Subject: Re: Hello',
    `Message-ID: <answer-${messageId.slice(1)}`,
    `In-Reply-To: ${messageId}`,
    '',
    'Yes please.',
  ].join('\r\n')
}

describe('a CSV file of mailboxes', () => {
  const rows = 'E-mail;From name;Daily limit\ncsv1@microsoft.test;Cleo;40\ncsv2@microsoft.test;;\n'
  let connectionId: string
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'overture-mailboxes-'))
    connectionId = (await call('POST', '/v2/tenant-connections', organizations.microsoft)).id
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Runs `overture mailboxes add` with the key of the live environment. */
  async function add(csv: string, ...words: string[]) {
    const file = join(folder, 'mailboxes.csv')
    await writeFile(file, csv)
    const environment = { OVERTURE_URL: server.url, OVERTURE_API_KEY: server.keys.live, XDG_CONFIG_HOME: folder }
    const child = spawn(
      process.execPath,
      [await builtCli(), 'mailboxes', 'add', file, '--connection', connectionId, ...words],
      { env: { PATH: process.env['PATH'], HOME: folder, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exit])
    return { stdout, stderr, code }
  }

  test('is sent by the SDK as a text, bytes or a stream', async () => {
    const overture = new Overture({ apiKey: server.keys.live, baseUrl: server.url })
    const send = (id: string, file: TextBody) => overture.tenantConnections.addMailboxesFromCsv(id, file)
    expect(await send(connectionId, rows)).toMatchObject({ connected: 2, duplicates: 0, invalid: 0 })
    for (const body of [new TextEncoder().encode(rows), new Blob([rows]).stream()])
      expect(await send(connectionId, body)).toMatchObject({ connected: 0, duplicates: 2, invalid: 0 })
    const { results } = await send(connectionId, 'email,fromName\ncsv3@microsoft.test,Dana\n')
    expect(await overture.sendingAccounts.get(results[0]!.sendingAccountId!)).toMatchObject({ fromName: 'Dana' })
    await expect(send('tnc_nobody', rows)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('is added by the command, which prints the rejected rows and exits with 1 for them', async () => {
    const done = await add(rows.replaceAll('csv', 'cli'))
    expect(done).toMatchObject({ code: 0, stdout: '2 connected, 0 already connected, 0 rejected\n' })
    const mixed = await add('email,dailyLimit\ncli1@microsoft.test,5\ncli4@microsoft.test,many\nno address,\n')
    expect(mixed.code).toBe(1)
    expect(mixed.stdout).toMatch(
      /^0 connected, 1 already connected, 2 rejected\nitem 2 .*dailyLimit .*\nitem 3 .*email /,
    )
    const json = await add(rows, '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({ connected: 0, duplicates: 2 })
    expect(await add('email,color\na@microsoft.test,red\n')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('color'),
    })
  })
})
