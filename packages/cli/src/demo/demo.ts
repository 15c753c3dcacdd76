import { Overture, type SandboxAdvance } from '@overture/sdk'
import { testClock } from '@overture/sdk/testing'
import type { Command } from 'commander'
import { listAccounts } from '@overture/server/accounts/index.ts'
import { createKey, revokeKey } from '@overture/server/api-keys/index.ts'
import { recordOperator } from '../operator/recorded.ts'
import { drawDays, drawGates, drawNumbers, painter, type Paint } from './drawing.ts'
import { demoCampaign, demoLeads, demoSenders } from './people.ts'
import { wholeNumber } from '../options.ts'
import { CommandError } from '../output.ts'
import { readSetting, withApp } from '../operator/session.ts'

interface DemoOptions {
  url?: string
  key?: string
  account?: string
  leads: number
  days: number
}

const patienceMs = 1_800_000

/** `overture demo`: runs a campaign of three weeks in seconds, in the test environment and only through the public API. */
export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('Run a three-week campaign in the test environment in seconds, and draw its results')
    .option('--url <url>', 'URL of the server (default: OVERTURE_URL, then this machine at PORT)')
    .option('--key <key>', 'a test key (default: OVERTURE_API_KEY, then a new key for the demo)')
    .option('--account <id>', 'the account for the new key')
    .option('--leads <n>', 'number of leads, 1000 at most', wholeNumber, 120)
    .option('--days <n>', 'number of days to simulate', wholeNumber, 21)
    .action(runDemo)
}

async function runDemo(options: DemoOptions): Promise<void> {
  const key = options.key ?? process.env['OVERTURE_API_KEY'] ?? ''
  if (key === '') return withOwnKey(options, (made) => play(options, made))
  await play(options, key)
}

/** Creates a test key for the duration of the demo. The operator may do that, since they have access to the database. */
async function withOwnKey(options: DemoOptions, run: (key: string) => Promise<void>): Promise<void> {
  await withApp(async ({ app }) => {
    const accountId = options.account ?? (await listAccounts(app.db))[0]?.accountId
    if (accountId === undefined)
      throw new CommandError('There is no account yet. Start the server once with npm start.')
    const fields = {
      accountId,
      environment: 'test',
      scopes: ['read', 'write', 'admin'],
      name: 'demo',
      expiresAt: null,
      beyondLimit: true,
    } as const
    const made = await app.db.transaction((tx) =>
      createKey(tx, { ...fields, scopes: [...fields.scopes], now: app.clock.now() }),
    )
    try {
      await run(made.key)
    } finally {
      await revokeKey(app.db, {
        keyId: made.id,
        now: app.clock.now(),
        recorded: (tx, accountId) => recordOperator(app, tx, { accountId, action: 'keys.revoke', targetId: made.id }),
      })
    }
  })
}

function demoUrl({ url }: DemoOptions): string {
  return url ?? (process.env['OVERTURE_URL'] || `http://127.0.0.1:${readSetting().config.port}`)
}

async function play(options: DemoOptions, key: string): Promise<void> {
  if (!key.startsWith('ovt_test_')) {
    throw new CommandError('The demo runs only in the test environment. Use a test key (ovt_test_…).')
  }
  // A campaign of several weeks may take minutes. A rate-limited call waits as long as the server asks for.
  const client = new Overture({ apiKey: key, baseUrl: demoUrl(options), retries: 4, timeoutMs: patienceMs })
  const paint = painter(process.stdout.isTTY && process.env['NO_COLOR'] === undefined)
  const { campaignId } = await setUp(client, options, paint)
  const happened = await letTimePass(client, options, paint)
  console.log(drawDays(happened.byDay, paint).join('\n'))
  await showNumbers(client, campaignId, paint)
  await showLead(client, campaignId, paint)
}

async function setUp(client: Overture, options: DemoOptions, paint: Paint): Promise<{ campaignId: string }> {
  const account = await client.account.get()
  const run = `demo-${Math.trunc(performance.timeOrigin).toString(36)}`
  const senderIds: string[] = []
  for (const sender of demoSenders(run, account.defaultTimezone)) {
    senderIds.push((await client.sendingAccounts.create(sender)).id)
  }
  const leads = demoLeads(Math.min(1000, Math.max(1, options.leads)))
  const campaign = await client.campaigns.launch({
    ...demoCampaign(senderIds, account.defaultTimezone),
    leads,
  })
  console.log(
    `${paint('bold', 'A campaign of four steps')} to ${campaign.leadResults.added} leads from ` +
      `${senderIds.length} senders, in the test environment\n(${campaign.id}).`,
  )
  return { campaignId: campaign.id }
}

async function letTimePass(client: Overture, options: DemoOptions, paint: Paint): Promise<SandboxAdvance> {
  const started = performance.now()
  const happened = await testClock(client).advance(`${Math.max(1, options.days)}d`)
  const seconds = (performance.now() - started) / 1000
  const perSecond = (options.days / seconds).toFixed(1)
  console.log(
    `${paint('bold', `${options.days} days in ${seconds.toFixed(1)} seconds`)} (${perSecond} days per second), ` +
      `${happened.from.slice(0, 10)} to ${happened.to.slice(0, 10)}:\n`,
  )
  return happened
}

async function showNumbers(client: Overture, campaignId: string, paint: Paint): Promise<void> {
  const stats = await client.campaigns.stats(campaignId)
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

async function showLead(client: Overture, campaignId: string, paint: Paint): Promise<void> {
  const path = `/v2/campaigns/${campaignId}/leads`
  const { leads } = client.campaigns
  const [replied] = await leads.list(campaignId, { status: 'replied', limit: 1 }).toArray({ max: 1 })
  const any = replied ?? (await leads.list(campaignId, { limit: 1 }).toArray({ max: 1 }))[0]
  if (!any) return
  const explained = await leads.explain(campaignId, any.id)
  const reason = explained.blockedReason === null ? '' : `, blocked by ${explained.blockedReason}`
  console.log(`\n${paint('bold', `Why ${any.email} gets no more messages:`)}\n${explained.status}${reason}.\n`)
  console.log(`${drawGates(explained.gates, paint).join('\n')}\n`)
  for (const { at, decision, reason: because, detail } of explained.history) {
    const why = [because, detail].filter((one) => one !== null).join(', ')
    console.log(paint('dim', `  ${at}  ${decision}${why === '' ? '' : `: ${why}`}`))
  }
  console.log(`\n  GET ${path}/${any.id}/explain`)
}
