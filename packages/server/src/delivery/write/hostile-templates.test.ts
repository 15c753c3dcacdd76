import { minuteMs } from '@overture/ground/time/spans.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { deliverDue, smtpOver, toolsOver } from '@overture/testing/delivery/delivery-by-hand.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { endlessTemplates, hostileTemplates } from '@overture/testing/templates/hostile-templates.ts'
import type { App } from '../../platform/app.ts'
import { createLogger } from '../../platform/log.shell.ts'
import { createSmtpPool } from '../../platform/mail/smtp-pool.client.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { createTemplateRenderer, type TemplateRenderer } from '../../templates/index.ts'
import { previewMessage } from '../ask/preview.queries.ts'
import { getForecast } from '../ask/forecast.queries.ts'
import { replyToLead } from '../messages/reply.commands.ts'
import type { DeliveryTools } from '../index.ts'

const start = new Date('2026-03-02T10:00:00.000Z')
const pool = createSmtpPool()
const renderers: TemplateRenderer[] = []
let database: TestDatabase
let app: App
let double: SmtpDouble

beforeAll(async () => {
  database = await createTestDatabase()
  app = createTestApp(database, {
    clock: { now: () => start },
    environment: { OVERTURE_PUBLIC_URL: 'https://mail.example.com', OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
  })
  double = await startSmtpDouble()
})
afterAll(async () => {
  for (const renderer of renderers) await renderer.stop()
  await pool.close()
  await double.stop()
  await database.drop()
})

function newRenderer(): TemplateRenderer {
  const renderer = createTemplateRenderer(createLogger('silent'))
  renderers.push(renderer)
  return renderer
}

/** Records for each account's calls whether the event loop continued during them. */
function watched(renderer: TemplateRenderer, turnsOf: (accountId: string) => boolean[]): TemplateRenderer {
  const watch = async <Answer>({ accountId }: Tenant, call: Promise<Answer>): Promise<Answer> => {
    let hasTurned = false
    const turn = setImmediate(() => (hasTurned = true))
    const answer = await call
    clearImmediate(turn)
    turnsOf(accountId).push(hasTurned)
    return answer
  }
  return {
    ...renderer,
    messages: (tenant, inputs) => watch(tenant, renderer.messages(tenant, inputs)),
    missing: (tenant, asked) => watch(tenant, renderer.missing(tenant, asked)),
  }
}

function toolsWith(renderer: TemplateRenderer): DeliveryTools {
  return toolsOver(app, smtpOver(app, pool), renderer)
}

/** A campaign whose texts were never checked by the API, like texts that are older than its checks. */
async function launch(body: string, count: number): Promise<{ tenant: Tenant; campaignId: string; stepId: string }> {
  const tenant = await insertTestAccount(app.db)
  const senderId = await insertTestSender(app.db, tenant, { port: double.port })
  const { id, stepIds } = await insertTestCampaign(app.db, tenant, {
    senderIds: [senderId],
    steps: [{ subject: 'Hello', body, waitDays: 0 }],
  })
  await insertTestLeads(app.db, tenant, { campaignId: id, count, dueAt: start })
  return { tenant, campaignId: id, stepId: stepIds[0] ?? '' }
}

async function giveVariables(tenant: Tenant, email: string, variables: object): Promise<void> {
  await app.db.execute(`update lead_profiles set custom_variables = $3 where account_id = $1 and email = $2`, [
    tenant.accountId,
    email,
    JSON.stringify(variables),
  ])
}

async function leadsByEmail(tenant: Tenant) {
  const rows = await app.db.query<{ id: string; email: string; status: string; attemptAt: Date | null }>(
    `select id, email, status, attempt_at from leads where account_id = $1 order by id`,
    [tenant.accountId],
  )
  return new Map(rows.map((row) => [row.email, row]))
}

const leadsCount = 8
const emails = Array.from({ length: leadsCount }, (_, at) => `p${at + 1}@acme.test`)

/** Values that make one lead's message impossible, in a template that works for all others. */
const badValues = fc.oneof(
  fc
    .tuple(fc.constantFrom('<div>', '<b>', '<table><tr>', '<ul><li>'), fc.integer({ min: 210, max: 5_000 }))
    .map(([tag, depth]) => ({ html: tag.repeat(depth) })),
  fc.integer({ min: 10_001, max: 9_000_000 }).map((turns) => ({ turns })),
  fc.integer({ min: 100_001, max: 300_000 }).map((length) => ({ html: 'x'.repeat(length) })),
)
const body =
  '<p>Hi {{ firstName }}</p>{{ customVariables.html | default: "" | raw }}' +
  '{% if customVariables.turns %}{% for i in (1..customVariables.turns) %}{{ i }}{% endfor %}{% endif %}'

describe("a message that can't be rendered", () => {
  test('fails alone, and the others of its batch are sent', async () => {
    const tools = toolsWith(newRenderer())
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...emails), { minLength: 1, maxLength: 4 }),
        badValues,
        async (bad, values) => {
          const { tenant } = await launch(body, leadsCount)
          for (const email of bad) await giveVariables(tenant, email, values)
          await deliverDue(tools, tenant, start)
          const leads = await leadsByEmail(tenant)
          for (const email of emails)
            expect(leads.get(email)).toMatchObject({ status: bad.includes(email) ? 'failed' : 'completed' })
          const failed = await app.db.query<{ failure: { type: string; reason: string } }>(
            `select failure from messages where account_id = $1 and status = 'failed'`,
            [tenant.accountId],
          )
          expect(failed.map((row) => row.failure.type)).toEqual(bad.map(() => 'template'))
          expect(failed.every((row) => row.failure.reason.length > 0)).toBe(true)
        },
      ),
      { numRuns: 6 },
    )
  })

  test('fails alone when its rendering is stopped, and interrupted ones are sent later', async () => {
    const [endless = ''] = fc.sample(endlessTemplates, 1)
    const { tenant } = await launch(`{% if customVariables.endless %}${endless}{% endif %}Hi`, leadsCount)
    await giveVariables(tenant, 'p4@acme.test', { endless: true })
    await deliverDue(toolsWith(newRenderer()), tenant, start)
    const first = await leadsByEmail(tenant)
    expect(first.get('p4@acme.test')?.status).toBe('failed')
    const attemptAt = new Date(start.getTime() + 15 * minuteMs)
    for (const { email, ...lead } of first.values())
      if (email !== 'p4@acme.test' && lead.status !== 'completed')
        expect(lead).toMatchObject({ status: 'pending', attemptAt })
    await deliverDue(toolsWith(newRenderer()), tenant, attemptAt)
    const second = await leadsByEmail(tenant)
    for (const email of emails)
      expect(second.get(email)?.status).toBe(email === 'p4@acme.test' ? 'failed' : 'completed')
  })

  test('is reported in a preview', async () => {
    const { tenant, campaignId } = await launch('<div>'.repeat(5_000), 1)
    const lead = (await leadsByEmail(tenant)).get('p1@acme.test')
    const input = { campaignId, leadId: lead?.id ?? '', now: start, meetingUrl: () => null, renderer: newRenderer() }
    await expect(previewMessage(app, tenant, input)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The template is nested too deeply.',
    })
  })
})

test("a reply whose HTML can't be converted to text is refused, and others are queued", async () => {
  const renderer = newRenderer()
  const { tenant, campaignId } = await launch('Hi', 1)
  await deliverDue(toolsWith(renderer), tenant, start)
  const lead = (await leadsByEmail(tenant)).get('p1@acme.test')
  const key = { campaignId, leadId: lead?.id ?? '' }
  const reply = (html: string) =>
    app.db.transaction((tx) =>
      replyToLead(tx, tenant, key, { html, renderer, now: new Date(start.getTime() + minuteMs) }),
    )
  for (const tag of ['<div>', '<table><tr><td>', '<ul><li>'])
    await expect(reply(tag.repeat(20_000))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'html', rule: 'nesting' }] },
    })
  expect((await reply('<p>Thank <b>you</b></p>')).text).toBe('Thank you')
})

describe('templates of one account', () => {
  test.each(Object.entries({ ...hostileTemplates, 'endless steps': endlessTemplates }))(
    "with %s delay no other account and don't block the event loop",
    async (_name, texts) => {
      const turns = new Map<string, boolean[]>()
      const turnsOf = (accountId: string) => turns.get(accountId) ?? turns.set(accountId, []).get(accountId)!
      const renderer = watched(newRenderer(), turnsOf)
      const tools = toolsWith(renderer)
      const [hostileBody = ''] = fc.sample(texts, 1)
      // The text uses missing variables, so that the planner and the forecast have to render it too.
      const hostile = await launch(`{{ jobTitle | default: "" }}${hostileBody}`, 60)
      const other = await launch('Hi {{ firstName }}, {{ city | default: "friend" }}', leadsCount)
      const meanwhile = Promise.all([
        deliverDue(tools, hostile.tenant, start),
        getForecast(app, hostile.tenant, {
          campaignId: hostile.campaignId,
          now: start,
          meetingUrl: () => null,
          renderer,
        }),
      ])
      const forecast = await getForecast(app, other.tenant, {
        campaignId: other.campaignId,
        now: start,
        meetingUrl: () => null,
        renderer,
      })
      await deliverDue(tools, other.tenant, start)
      await meanwhile
      expect([...(await leadsByEmail(other.tenant)).values()].map(({ status }) => status)).toEqual(
        emails.map(() => 'completed'),
      )
      expect(forecast.days.reduce((sum, day) => sum + day.first, 0)).toBe(leadsCount)
      expect(turnsOf(hostile.tenant.accountId)).toContain(true)
      for (const { status } of (await leadsByEmail(hostile.tenant)).values())
        expect(['failed', 'pending', 'completed']).toContain(status)
    },
  )
})
