import type { Command } from 'commander'
import { listAccounts } from '@overture/server/accounts/index.ts'
import { createKey, revokeKey } from '@overture/server/api-keys/index.ts'
import { drawDays, drawGates, drawNumbers, painter, type DemoDay, type DemoGate, type Paint } from './demo-drawing.ts'
import { demoCampaign, demoLeads, demoSenders } from './demo-people.ts'
import { wholeNumber } from './options.ts'
import { CommandError } from './output.ts'
import { withApp } from './session.ts'

interface DemoOptions {
  url: string
  key?: string
  account?: string
  leads: number
  days: number
}

const triesMax = 5

/** `overture demo`: a campaign of three weeks in the test environment, in seconds, through the public API alone. */
export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('Run a campaign of three weeks in the test environment in seconds, and draw what happened')
    .option('--url <url>', 'where the server listens', process.env['OVERTURE_URL'] ?? 'http://127.0.0.1:3000')
    .option('--key <key>', 'a test key (else OVERTURE_API_KEY; else one is made for the time of the demo)')
    .option('--account <id>', 'whose test environment, where the key is made')
    .option('--leads <n>', 'how many leads, 1000 at most', wholeNumber, 120)
    .option('--days <n>', 'how many days to let pass', wholeNumber, 21)
    .action(runDemo)
}

async function runDemo(options: DemoOptions): Promise<void> {
  const key = options.key ?? process.env['OVERTURE_API_KEY'] ?? ''
  if (key === '') return withOwnKey(options, (made) => play(options, made))
  await play(options, key)
}

/** Makes a test key for the time of the demo, as the operator may who has the database. */
async function withOwnKey(options: DemoOptions, run: (key: string) => Promise<void>): Promise<void> {
  await withApp(async ({ app }) => {
    const accountId = options.account ?? (await listAccounts(app.db))[0]?.accountId
    if (accountId === undefined)
      throw new CommandError('There is no account yet: start the server once with npm start.')
    const fields = { accountId, environment: 'test', scopes: ['read', 'write'], name: 'demo', expiresAt: null } as const
    const made = await app.db.transaction((tx) =>
      createKey(tx, { ...fields, scopes: [...fields.scopes], now: app.clock.now() }),
    )
    try {
      await run(made.key)
    } finally {
      await revokeKey(app.db, made.id, app.clock.now())
    }
  })
}

async function play(options: DemoOptions, key: string): Promise<void> {
  if (!key.startsWith('ovt_test_')) {
    throw new CommandError('The demo runs in the test environment alone: give it a test key, ovt_test_….')
  }
  const call = createClient(options.url, key)
  const paint = painter(process.stdout.isTTY && process.env['NO_COLOR'] === undefined)
  const { campaignId } = await setUp(call, options, paint)
  const happened = await letTimePass(call, options, paint)
  console.log(drawDays(happened.byDay, paint).join('\n'))
  await showNumbers(call, campaignId, paint)
  await showLead(call, campaignId, paint)
}

async function setUp(call: Call, options: DemoOptions, paint: Paint): Promise<{ campaignId: string }> {
  const account = await call<{ defaultTimezone: string }>('GET', '/v2/account')
  const run = `demo-${Math.trunc(performance.timeOrigin).toString(36)}`
  const senderIds: string[] = []
  for (const sender of demoSenders(run, account.defaultTimezone)) {
    senderIds.push((await call<{ id: string }>('POST', '/v2/sending-accounts', sender)).id)
  }
  const leads = demoLeads(Math.min(1000, Math.max(1, options.leads)))
  const campaign = await call<{ id: string; leadResults: { added: number } }>('POST', '/v2/campaigns/launch', {
    ...demoCampaign(senderIds, account.defaultTimezone),
    leads,
  })
  console.log(
    `${paint('bold', 'A campaign of four steps')} to ${campaign.leadResults.added} leads from ${senderIds.length} senders, in the test environment\n(${campaign.id}).`,
  )
  return { campaignId: campaign.id }
}

interface Happened {
  from: string
  to: string
  sent: number
  byDay: DemoDay[]
}

async function letTimePass(call: Call, options: DemoOptions, paint: Paint): Promise<Happened> {
  const started = performance.now()
  const happened = await call<Happened>('POST', '/v2/sandbox/clock/advance', { by: `${Math.max(1, options.days)}d` })
  const seconds = (performance.now() - started) / 1000
  const perSecond = (options.days / seconds).toFixed(1)
  console.log(
    `${paint('bold', `${options.days} days in ${seconds.toFixed(1)} seconds`)} (${perSecond} days per second), ${happened.from.slice(0, 10)} to ${happened.to.slice(0, 10)}:\n`,
  )
  return happened
}

interface Stats {
  leads: number
  contacted: number
  sent: number
  delivered: number
  uniqueOpened: number
  machineOpened: number
  uniqueReplied: number
  interested: number
  autoReplied: number
  bounced: number
  unsubscribed: number
  meetingsBooked: number
  rates: { reply: number; bounce: number; open: number }
}

async function showNumbers(call: Call, campaignId: string, paint: Paint): Promise<void> {
  const stats = await call<Stats>('GET', `/v2/campaigns/${campaignId}/stats`)
  const percent = (rate: number) => `${(rate * 100).toFixed(1)} %`
  const numbers: [string, string][] = [
    ['Leads contacted', `${stats.contacted} of ${stats.leads}`],
    ['Messages sent', `${stats.sent}, ${stats.delivered} delivered`],
    [
      'Opened by people',
      `${stats.uniqueOpened} (${percent(stats.rates.open)}), ${stats.machineOpened} times by machines, not counted`,
    ],
    [
      'Replied',
      `${stats.uniqueReplied} (${percent(stats.rates.reply)}), ${stats.interested} interested, ${stats.autoReplied} automatic`,
    ],
    ['Bounced', `${stats.bounced} (${percent(stats.rates.bounce)})`],
    ['Opted out', String(stats.unsubscribed)],
    ['Meetings booked', String(stats.meetingsBooked)],
  ]
  console.log(`\n${drawNumbers(numbers, paint).join('\n')}`)
}

interface Lead {
  id: string
  email: string
  status: string
}

interface Explanation {
  status: string
  blockedReason: string | null
  gates: DemoGate[]
  history: { at: string; decision: string; reason: string | null }[]
}

async function showLead(call: Call, campaignId: string, paint: Paint): Promise<void> {
  const path = `/v2/campaigns/${campaignId}/leads`
  const replied = await call<{ results: Lead[] }>('GET', `${path}?status=replied&limit=1`)
  const any = replied.results[0] ?? (await call<{ results: Lead[] }>('GET', `${path}?limit=1`)).results[0]
  if (!any) return
  const explained = await call<Explanation>('GET', `${path}/${any.id}/explain`)
  const reason = explained.blockedReason === null ? '' : `, held by ${explained.blockedReason}`
  console.log(`\n${paint('bold', `Why ${any.email} gets no further message:`)}\n${explained.status}${reason}.\n`)
  console.log(`${drawGates(explained.gates, paint).join('\n')}\n`)
  for (const { at, decision, reason: because } of explained.history) {
    console.log(paint('dim', `  ${at}  ${decision}${because === null ? '' : `: ${because}`}`))
  }
  console.log(`\n  GET ${path}/${any.id}/explain`)
}

type Call = <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>

/** Calls the API; waits as told when it is limited. */
function createClient(baseUrl: string, key: string): Call {
  return async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(`${baseUrl.replace(/\/+$/, '')}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(1_800_000),
      }).catch((error: Error) => {
        throw new CommandError(
          `No server answers at ${baseUrl}: is it running? (${(error.cause instanceof Error ? error.cause : error).message})`,
        )
      })
      const retryAfter = Number(response.headers.get('retry-after') ?? 0)
      if (response.status === 429 && retryAfter > 0 && attempt < triesMax) {
        await response.arrayBuffer()
        await new Promise((resolve) => setTimeout(resolve, retryAfter * 1000))
        continue
      }
      const text = await response.text()
      if (!response.ok) throw new CommandError(`${method} ${path} answered ${response.status}: ${text}`)
      return JSON.parse(text) as Answer
    }
  }
}
