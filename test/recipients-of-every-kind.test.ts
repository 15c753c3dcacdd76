import fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertTestCampaign, insertTestSender } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { contactedWorld, type Contacted, type ContactedWorld } from '@overture/testing/server/contacted.ts'
import { startMailWorld, type MailWorld } from '@overture/testing/server/mail-world.ts'
import { createTestPerson } from '@overture/testing/server/people.ts'
import { outboundKinds, type OutboundKind } from '../packages/server/src/delivery/plan/recipients.ts'
import { noticeKinds, type NoticeKind } from '../packages/server/src/meetings/notices/notices.ts'
import { reportJobs } from '../packages/server/src/reports/index.ts'
import { systemMailJobs } from '../packages/server/src/team/index.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const systemJobs = [...systemMailJobs(), ...reportJobs()].map(({ kind }) => kind)

let world: MailWorld
let system: SmtpDouble
let { contacted, suppress, reply, answer } = {} as ContactedWorld
beforeAll(async () => {
  system = await startSmtpDouble()
  world = await startMailWorld({
    OVERTURE_SYSTEM_MAIL_URL: `smtp://127.0.0.1:${system.port}?from=robot@tenant.test`,
  })
  ;({ contacted, suppress, reply, answer } = contactedWorld(world))
})
afterAll(async () => {
  await world.stop()
  await system.stop()
})

const people = ['lead', 'stranger', 'suppressed', 'user'] as const
type Someone = (typeof people)[number]

interface Scene {
  to: { email: string; is: Someone }
  /** A contacted lead. It is the recipient where only a lead can be one. */
  of: Contacted
  first: string[]
  second: string[]
  /** Suppresses the addresses that are suppressed in this scene. */
  suppress: () => Promise<void>
}

interface Case {
  kind: OutboundKind | 'system'
  notice?: NoticeKind
  /** The job that mails it. */
  job?: string
  /** The file that queues it. */
  by: string
  /** Sends it and returns its recipients, the suppressed ones included. */
  send: (scene: Scene) => Promise<string[]>
}

const live = async (method: string, path: string, body?: unknown) => {
  const { status, text, body: answered } = await world.live(method, path, body)
  expect([path, status < 300 ? null : text]).toEqual([path, null])
  return answered
}

let slots = 0
/** Five minutes that no other meeting has. */
function freeTimes() {
  const startMs = Math.ceil((Date.now() + dayMs) / (5 * minuteMs)) * 5 * minuteMs + ++slots * 10 * minuteMs
  return { startAt: new Date(startMs).toISOString(), endAt: new Date(startMs + 5 * minuteMs).toISOString() }
}

const everyDay = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }
const pace = { minNoticeMinutes: 0, slotStepMinutes: 5, durationMinutes: 5, maxDaysAhead: 30 }
const available = (hostEmail: string | null, reminderMinutes: number[]) =>
  live('PUT', '/v2/meetings/availability', { windows: [everyDay], ...pace, hostEmail, reminderMinutes })

/** A meeting with the lead and others. The host gets copies. The addresses are suppressed before `change`, if there is one. */
async function meeting(scene: Scene, change: ((meeting: { id: string; startAt: string }) => Promise<unknown>) | null) {
  const { of, first, second } = scene
  const host = second[0] ?? null
  await available(host, change === remind ? [60] : [])
  const attendees = [of.email, ...first].map((email) => ({ email }))
  if (change === null) await scene.suppress()
  const made = await live('POST', '/v2/meetings', { title: 'Talk', ...freeTimes(), leadId: of.leadId, attendees })
  if (change !== null) {
    await world.work()
    await scene.suppress()
    world.smtp.accepted.length = 0
    await change(made)
  }
  return [of.email, ...first, ...(host === null ? [] : [host])]
}

async function remind({ startAt }: { startAt: string }) {
  const at = new Date(Date.parse(startAt) - 60 * minuteMs)
  await world.runJobs(['meeting.remind'], at)
  await world.work(at)
}

const withCopies = async ({ of, first, second, ...scene }: Scene, written: boolean) => {
  if (written) await answer(of)
  await scene.suppress()
  expect((await reply(of, { cc: first, bcc: second })).status).toBe(202)
  return [of.email, ...first, ...second]
}

/** A lead with the address of the scene in a campaign that sends at once. */
async function enrolled({ to }: Scene) {
  const { app, tenant } = world.server
  const senderId = await insertTestSender(app.db, tenant, { port: world.smtp.port })
  const { id } = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  const { results } = await live('POST', `/v2/campaigns/${id}/leads`, { leads: [{ email: to.email, firstName: 'A' }] })
  return `/v2/campaigns/${id}/leads/${results[0].leadId}`
}

/** A user with the address of the scene, unless a stranger or a lead has it. */
async function userOf({ to }: Scene) {
  if (to.is === 'user') return (await live('GET', `/v2/users?limit=100`)).results.find(byEmail(to.email)).id as string
  return to.is === 'suppressed' ? (await createTestPerson(world.server, { email: to.email, role: 'member' })).id : null
}
const byEmail = (email: string) => (user: { email: string }) => user.email === email

async function visit(path: string, fields: Record<string, string>) {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-forwarded-for': `2001:db8:${(++slots).toString(16)}::1`,
  }
  return (await world.server.call('POST', path, { body: new URLSearchParams(fields).toString(), headers })).status
}

const notices = 'meetings/notices/notices.commands.ts'
const letters = 'team/system-mail/system-mail.jobs.ts'
const cases: Readonly<Record<string, Case>> = {
  campaign: {
    kind: 'campaign',
    by: 'delivery/write/compose.shell.ts',
    async send(scene) {
      await enrolled(scene)
      await scene.suppress()
      return [scene.to.email]
    },
  },
  send_now: {
    kind: 'campaign',
    by: 'delivery/messages/messages.commands.ts',
    async send(scene) {
      await live('POST', `${await enrolled(scene)}/send-now`)
      await scene.suppress()
      return [scene.to.email]
    },
  },
  reply: { kind: 'manual', by: 'delivery/messages/reply.commands.ts', send: (scene) => withCopies(scene, true) },
  follow_up: { kind: 'manual', by: 'delivery/messages/reply.commands.ts', send: (scene) => withCopies(scene, false) },
  invitation: { kind: 'notification', notice: 'booked', by: notices, send: (scene) => meeting(scene, null) },
  new_time: {
    kind: 'notification',
    notice: 'rescheduled',
    by: notices,
    send: (scene) => meeting(scene, ({ id }) => live('PUT', `/v2/meetings/${id}`, freeTimes())),
  },
  cancellation: {
    kind: 'notification',
    notice: 'canceled',
    by: notices,
    send: (scene) => meeting(scene, ({ id }) => live('DELETE', `/v2/meetings/${id}`)),
  },
  reminder: { kind: 'notification', notice: 'reminder', by: notices, send: (scene) => meeting(scene, remind) },
  confirmation: {
    kind: 'notification',
    notice: 'confirmation',
    by: 'meetings/booking/confirmation.commands.ts',
    async send({ to, ...scene }) {
      const page = new URL((await available(null, [])).bookingUrl).pathname
      await scene.suppress()
      const { startAt } = freeTimes()
      expect(await visit(page, { startAt, timezone: 'UTC', name: 'Eve', email: to.email })).toBe(202)
      return [to.email]
    },
  },
  test_message: {
    kind: 'notification',
    by: 'delivery/ask/test-messages.shell.ts',
    async send({ to, of, ...scene }) {
      const { app, tenant } = world.server
      const isOwn = to.is === 'user' || to.is === 'suppressed'
      if (to.is === 'suppressed') await insertTestSender(app.db, tenant, { port: world.smtp.port, email: to.email })
      await scene.suppress()
      const path = `/v2/campaigns/${of.campaignId}`
      const stepId = (await live('GET', path)).steps[0].id
      const sent = await world.live('POST', `${path}/test-message`, { leadId: of.leadId, stepId, to: to.email })
      expect(sent.status).toBe(isOwn ? 202 : 400)
      return isOwn ? [to.email] : []
    },
  },
  placement_test: {
    kind: 'test',
    by: 'delivery/ask/placement-messages.shell.ts',
    async send({ to, of, ...scene }) {
      const { app, tenant } = world.server
      const sender = await insertTestSender(app.db, tenant, { port: world.smtp.port })
      const path = `/v2/campaigns/${of.campaignId}`
      const stepId = (await live('GET', path)).steps[0].id
      const imap = { host: 'imap.pool.test', port: 993, password: 'secret' }
      const seed = await live('POST', '/v2/seed-mailboxes', { email: to.email, imap })
      await scene.suppress()
      const text = { campaignId: of.campaignId, stepId, leadId: of.leadId }
      await live('POST', '/v2/placement-tests', { ...text, sendingAccountIds: [sender], seedMailboxIds: [seed.id] })
      return [to.email]
    },
  },
  invitation_to_the_account: {
    kind: 'system',
    job: 'team.mail_link',
    by: letters,
    async send({ to, ...scene }) {
      await scene.suppress()
      const { status } = await world.live('POST', '/v2/invitations', { email: to.email, role: 'member' })
      expect(status).toBe(to.is === 'user' ? 409 : 201)
      return to.is === 'user' ? [] : [to.email]
    },
  },
  password_link: {
    kind: 'system',
    job: 'team.reset_password',
    by: letters,
    async send(scene) {
      const id = await userOf(scene)
      await scene.suppress()
      const body = { email: scene.to.email }
      expect((await world.server.call('POST', '/v2/auth/password/reset', { body })).status).toBe(202)
      return id === null ? [] : [scene.to.email]
    },
  },
  security_notice: {
    kind: 'system',
    job: 'team.mail_notice',
    by: letters,
    async send(scene) {
      const id = await userOf(scene)
      await scene.suppress()
      if (id === null) return []
      await live('PUT', `/v2/users/${id}`, { role: 'viewer' })
      return [scene.to.email]
    },
  },
  report: {
    kind: 'system',
    job: 'reports.send',
    by: 'reports/send-report.shell.ts',
    async send(scene) {
      const id = await userOf(scene)
      await scene.suppress()
      const report = { name: 'Numbers', query: { groupBy: 'day' }, every: 'day', recipients: id === null ? [] : [id] }
      const made = await live('POST', '/v2/reports', report)
      await live('POST', `/v2/reports/${made.id}/run`)
      return id === null ? [] : [scene.to.email]
    },
  },
}

test('there is a case for every kind of message, notice and system mail, and for every file that queues one', () => {
  const all = Object.values(cases)
  const distinct = (values: readonly (string | undefined)[]) =>
    [...new Set(values)].filter((value) => value !== undefined).toSorted()
  expect(distinct(all.map(({ kind }) => kind))).toEqual([...outboundKinds, 'system'].toSorted())
  expect(distinct(all.map(({ notice }) => notice))).toEqual([...noticeKinds].toSorted())
  // This job mails nothing itself, but starts the one that does.
  const mailing = systemJobs.filter((kind) => kind !== 'reports.due')
  expect(distinct(all.map(({ job }) => job))).toEqual(mailing.toSorted())
  const root = join(import.meta.dirname, '../packages/server/src')
  const queues =
    /(?<!function )\b(?:queueManualMessage|queueMail|insertMessage|insertTestMessage|insertPlacementMessages|storeWritten|sendLetter)\(/
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .filter((file) => queues.test(readFileSync(join(root, file), 'utf8')))
  // These queue nothing: one passes on, the other stores what a plan of the test environment claimed.
  const passing = ['composition/services.ts', 'delivery/memory/departures.shell.ts']
  expect(files.filter((file) => !passing.includes(file)).toSorted()).toEqual(distinct(all.map(({ by }) => by)))
})

let number = 0
async function sceneOf(scenario: { to: Someone; first: readonly Someone[]; second: readonly Someone[] }) {
  const suppressed: string[] = []
  const someone = async (kind: Someone): Promise<string> => {
    if (kind === 'lead') return (await contacted()).email
    const email = `${kind}${++number}@pool.test`
    if (kind === 'user') await createTestPerson(world.server, { email, role: 'member' })
    if (kind === 'suppressed') suppressed.push(email)
    return email
  }
  const every = async (kinds: readonly Someone[]) => {
    const emails: string[] = []
    for (const kind of kinds) emails.push(await someone(kind))
    return emails
  }
  const of = await contacted()
  if (scenario.to === 'suppressed') suppressed.push(of.email)
  const scene: Scene = {
    to: { email: await someone(scenario.to), is: scenario.to },
    of,
    first: await every(scenario.first),
    second: await every(scenario.second),
    suppress: async () => {
      for (const email of suppressed) expect((await suppress(email)).status).toBe(201)
    },
  }
  return { scene, suppressed }
}

/** The kinds of the messages, as they are stored. System mail is not stored as a message. */
async function kindsOf(accepted: SmtpDouble['accepted']): Promise<string[]> {
  const rows = await world.server.app.db.query<{ kind: string }>(
    `select distinct coalesce(m.kind, 'system') as kind
     from unnest($1::text[]) as a (id) left join message_heads m on m.rfc_message_id = a.id`,
    [accepted.map(({ messageId }) => messageId)],
  )
  return rows.map(({ kind }) => kind)
}

test.each(Object.keys(cases))(
  'no message reaches a suppressed address, and every other recipient gets it: %s',
  async (name) => {
    const { kind, send } = cases[name]!
    const list = fc.array(fc.constantFrom(...people), { maxLength: 3 })
    const scenario = fc.record({ to: fc.constantFrom(...people), first: list, second: list })
    const first: Someone[] = ['suppressed', 'stranger']
    const examples = people.map((to): [{ to: Someone; first: Someone[]; second: Someone[] }] => [
      { to, first, second: to === 'lead' ? ['user'] : ['suppressed', 'lead'] },
    ])
    await fc.assert(
      fc.asyncProperty(scenario, async (chosen) => {
        const { scene, suppressed } = await sceneOf(chosen)
        for (const { accepted } of [world.smtp, system]) accepted.length = 0
        const recipients = await send(scene)
        await world.work()
        await world.runJobs(systemJobs)
        const accepted = [...world.smtp.accepted, ...system.accepted]
        const reached = accepted.flatMap(({ to }) => to).toSorted()
        // System mail is about the user's own sign-in, so the account's suppression list doesn't hold it.
        const held = kind === 'system' ? [] : suppressed
        expect(reached).toEqual(recipients.filter((email) => !held.includes(email)).toSorted())
        expect(await kindsOf(accepted)).toEqual(accepted.length > 0 ? [kind] : [])
      }),
      { numRuns: 6, examples },
    )
  },
)
