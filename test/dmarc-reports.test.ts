import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { gzipSync } from 'node:zlib'
import { noContactPolicy } from '@overture/contract/contact-policy/contact-policy.ts'
import {
  dmarcSamples,
  gzipped,
  sampleEnd,
  zipped,
  type SampleReport,
} from '@overture/testing/deliverability/dmarc-samples.ts'
import { insertTestPolicy } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { mailboxEmail, openMailboxWorld, outgoingId, writeReply } from '@overture/testing/inbox/mailbox-world.ts'
import { startImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { takeMailedReport } from '@overture/server/deliverability/index.ts'
import { createInboxWorker } from '@overture/server/inbox/index.ts'

let server: TestServer
beforeAll(async () => {
  server = await startWholeServer({
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1', OVERTURE_MAIL_SECONDS_MAX: '60' },
  })
  for (const key of [server.keys.live, server.keys.test]) {
    const login = { host: '127.0.0.1', security: 'none', username: 'ada', password: 'secret', port: 2525 }
    const sender = key === server.keys.live ? { smtp: login } : { provider: 'sandbox' }
    const made = await server.call('POST', '/v2/sending-accounts', {
      key,
      body: { email: 'ada@run.example.com', fromName: 'Ada', trackingDomain: 'go.tracked.example.net', ...sender },
    })
    expect(made.status, made.text).toBe(201)
  }
})
afterAll(() => server.stop())

const domain = 'run.example.com'
const now = Math.floor(Date.now() / 1_000)
let reports = 0
/** A report of yesterday with an id that no other test uses. */
const fresh = (more: Partial<SampleReport> = {}): SampleReport => {
  const day = { beginsAt: now - 2 * 86_400, endsAt: now - 86_400 }
  return { domain, id: `r-${++reports}`, ...day, ...more }
}

function upload(body: Uint8Array | string, { key = server.keys.live, type = 'application/octet-stream' } = {}) {
  return server.call('POST', '/v2/deliverability/dmarc-reports', { key, body, headers: { 'content-type': type } })
}

async function eventsOf(type: string): Promise<{ data: Record<string, unknown> }[]> {
  return (await server.call('GET', `/v2/events?type=${type}&limit=100`, { key: server.keys.live })).body.results
}

describe('an upload', () => {
  test.each(Object.entries(dmarcSamples))('in the shape of %s is stored and counted', async (_, write) => {
    const { status, body, text } = await upload(write(fresh({ policy: 'quarantine' })))
    expect(status, text).toBe(201)
    expect(body).toMatchObject({ domain, policy: 'quarantine', messages: 17, spfAligned: 15, dkimAligned: 12 })
    expect(body.id).toMatch(/^dmr_/)
  })

  test('is stored once, in any container and with any media type of a file', async () => {
    const xml = dmarcSamples.google(fresh())
    const first = await upload(xml, { type: 'text/xml' })
    const again = [
      await upload(gzipped(xml), { type: 'application/gzip' }),
      await upload(zipped(xml), { type: 'application/zip' }),
      await upload(xml, { type: 'application/xml' }),
    ]
    expect([first.status, ...again.map(({ status }) => status)]).toEqual([201, 200, 200, 200])
    expect(again.map(({ body }) => body)).toEqual([first.body, first.body, first.body])
    const events = await eventsOf('domain.report_received')
    expect(events.filter(({ data }) => data['reportId'] === first.body.id)).toMatchObject([
      { data: { domain, orgName: 'google.com', messages: 17 } },
    ])
    expect((await upload(xml, { type: 'application/json' })).status).toBe(415)
  })

  test('with the same id from another receiver or about another domain is another report', async () => {
    const report = fresh()
    const ids = [
      await upload(dmarcSamples.google(report)),
      await upload(dmarcSamples.mailRu(report)),
      await upload(dmarcSamples.google({ ...report, domain: 'go.tracked.example.net' })),
      await upload(dmarcSamples.google(report), { key: server.keys.test }),
    ].map(({ status, body }) => [status, body.id])
    expect(ids.map(([status]) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(ids.map(([, id]) => id)).size).toBe(4)
  })

  test('keeps the rows about domains of the account only', async () => {
    const rows = [
      { ip: '192.0.2.1', count: 5, from: domain },
      { ip: '192.0.2.1', count: 7, from: 'other.example.com' },
    ]
    const { status, body } = await upload(dmarcSamples.google(fresh({ domain: 'example.com', rows })))
    expect([status, body.domain, body.messages]).toEqual([201, 'example.com', 5])
  })

  test('is stored once if it is sent twice at the same time', async () => {
    const xml = dmarcSamples.google(fresh())
    const answers = await Promise.all([upload(xml), upload(xml), upload(xml)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })

  test('is not seen by another account', async () => {
    const refused = await upload(dmarcSamples.google(fresh()), { key: server.other.keys.live })
    expect([refused.status, refused.body.error.details.issues[0].rule]).toEqual([400, 'foreign_domain'])
  })

  const xml = (change: Partial<SampleReport> = {}) => dmarcSamples.google({ domain, id: 'never', ...change })
  const outside = 'file:///etc/hostname'
  const entity = xml()
    .replace('<feedback>', `<!DOCTYPE f [<!ENTITY x SYSTEM "${outside}">]><feedback>`)
    .replace('google.com', '&x;')
  const bomb = gzipSync(Buffer.from(`<feedback>${`<a>${' '.repeat(60_000)}</a>`.repeat(1_800)}`))

  test.each<[string, string | Uint8Array, string, string]>([
    ['another domain', xml({ domain: 'other.example.com' }), 'foreign_domain', 'policy_published.domain'],
    [
      'the domain above, without a row of ours',
      xml({ domain: 'example.com' }),
      'foreign_domain',
      'policy_published.domain',
    ],
    ['an external entity', entity, 'doctype', ''],
    ['a DTD in an archive', zipped(entity), 'doctype', ''],
    ['an entity without a DTD', xml().replace('google.com', '&x;'), 'entity', ''],
    ['a bomb', bomb, 'too_large', ''],
    ['nothing', '', 'not_a_report', ''],
    ['a cut archive', gzipped(xml()).subarray(0, 100), 'broken_archive', ''],
    ['an end before its begin', xml({ endsAt: 1 }), 'ends_before_begin', 'report_metadata.date_range.end'],
    [
      'an end in the future',
      xml({ endsAt: sampleEnd + 400 * 86_400 }),
      'in_the_future',
      'report_metadata.date_range.end',
    ],
    ['no id', xml({ id: ' ' }), 'missing', 'report_metadata.report_id'],
  ])('with %s is refused by name', async (_, body, rule, path) => {
    const { status, body: answer } = await upload(body)
    expect([status, answer.error.details?.issues]).toEqual([400, [expect.objectContaining({ rule, path })]])
    expect(answer.error.message).not.toContain(outside)
  })

  test('larger than 10 MiB is 413', async () => {
    expect((await upload(Buffer.alloc(10 * 1024 * 1024 + 1, ' '))).status).toBe(413)
  })
})

/** A mail with a report, as receivers send it. */
function reportMail(user: string, file: Uint8Array, { id, headers = [] }: { id: string; headers?: readonly string[] }) {
  const lines = (
    Buffer.from(file)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\r\n')
  return [
    'From: Reports <noreply-dmarc@google.example.com>',
    `To: ${user}`,
    `Message-ID: <${id}@google.example.com>`,
    `Subject: Report Domain: ${domain} Submitter: google.example.com Report-ID: <${id}>`,
    ...headers,
    'MIME-Version: 1.0',
    `Content-Type: application/gzip; name="google.example.com!${domain}!1!2.xml.gz"`,
    `Content-Disposition: attachment; filename="google.example.com!${domain}!1!2.xml.gz"`,
    'Content-Transfer-Encoding: base64',
    '',
    lines,
  ].join('\r\n')
}

describe('a mailbox', () => {
  test('reads reports, which become no conversation and count nothing, and hostile ones disturb nothing', async () => {
    const stops: (() => Promise<unknown>)[] = []
    try {
      const user = 'postmaster@run.example.com'
      const double = await startImapDouble({ users: { [user]: 'secret' } })
      stops.push(() => double.stop())
      const mail = {
        port: double.port,
        deliver: (to: string, raw: string) => double.deliver(to, raw, {}),
        renewUidValidity: (of: string) => double.renewUidValidity(of, 'INBOX'),
      }
      const policy = { ...noContactPolicy, conversation: { days: 30, scope: 'company' as const } }
      await insertTestPolicy(server.app.db, server.tenant, policy)
      const box = await openMailboxWorld(server, stops, { mail, user })
      await box.contact('last')
      const good = fresh({ rows: [{ ip: '192.0.2.77', count: 31, spf: true }] })
      const other = fresh({ domain: 'victim.example.net' })
      double.deliver(user, reportMail(user, gzipped(dmarcSamples.google(good)), { id: good.id! }))
      double.deliver(user, reportMail(user, gzipped(dmarcSamples.google(good)), { id: `${good.id}-again` }))
      double.deliver(user, reportMail(user, gzipped(dmarcSamples.google(other)), { id: other.id! }))
      double.deliver(user, reportMail(user, gzipSync('<!DOCTYPE a><feedback/>'), { id: 'dtd' }))
      double.deliver(user, reportMail(user, Buffer.from([0x1f, 0x8b, 8, 0, 0]), { id: 'broken' }))
      // A reply with such a file stays a reply.
      await box.contact('odd')
      const answer = [`In-Reply-To: ${outgoingId(user, 'odd')}`]
      const odd = reportMail(user, gzipSync('<feedback/>'), { id: 'odd', headers: answer })
      double.deliver(user, odd.replace('Reports <noreply-dmarc@google.example.com>', mailboxEmail(user, 'odd')))
      double.deliver(user, writeReply(user, 'last'))
      const { app } = server
      const worker = createInboxWorker(app, {
        tickMs: 50,
        pollMs: 400,
        hooks: { report: (tenant, mailed) => takeMailedReport(app, tenant, mailed) },
      })
      await worker.start()
      stops.push(() => worker.stop())
      const patient = { timeout: 60_000, interval: 50 }
      await vi.waitFor(async () => expect(await box.replies()).toEqual({ last: 1, odd: 1 }), patient)
      const events = await eventsOf('domain.report_received')
      expect(events.filter(({ data }) => data['messages'] === 31)).toMatchObject([
        { data: { domain, sendingAccountId: box.senderId } },
      ])
      expect(events.filter(({ data }) => data['domain'] === 'victim.example.net')).toEqual([])
      const { results } = (await server.call('GET', '/v2/conversations', { key: server.keys.live })).body
      expect(results).toHaveLength(2)
      expect(await eventsOf('message.set_aside')).toEqual([])
      const exchanges = await app.db.query(`select from exchanges where company = 'google.example.com'`)
      expect(exchanges).toEqual([])
    } finally {
      for (const stop of stops.reverse()) await stop()
    }
  }, 120_000)
})
