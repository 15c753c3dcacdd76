import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { CampaignStats, Overture } from '@overture/sdk'
import { testClock } from '@overture/sdk/testing'
import type { Command } from 'commander'
import { connectClient, withClientOptions, type ClientOptions } from '../client/client.ts'
import { importLeads } from '../client/leads.ts'
import { wholeNumber } from '../options.ts'
import { CommandError, show, type OutputOptions } from '../output.ts'
import { judge, readExpectations, sayMissed, type Expectation } from './expectations.ts'
import { parseObject } from './json-object.ts'
import { rehearsalLeads } from './rehearsal-leads.ts'

interface RehearseOptions extends ClientOptions, OutputOptions {
  days: number
  expect?: string
  keep?: boolean
}

/** Weeks of a large campaign take minutes to simulate. */
const patienceMs = 1_800_000
const daysMax = 366
const sendersMax = 50
const conversationsMax = 100_000
const bulkMax = 100

/** `overture rehearse`: plays a campaign through in the test environment and compares its statistics with ranges. */
export function registerRehearse(program: Command): void {
  withClientOptions(
    program
      .command('rehearse <campaign> <leads>')
      .description(
        'Run a campaign (JSON) with its leads (CSV) in the test environment, and compare its statistics with expected ranges',
      )
      .requiredOption('--days <n>', 'number of days to simulate', wholeNumber)
      .option(
        '--expect <file>',
        'expected ranges of the statistics (JSON): {"sent": 40, "rates.bounce": {"max": 0.02}}',
      )
      .option('--keep', 'keep the campaign and its sending accounts afterwards')
      .option('--json', 'print the statistics and the failed expectations as JSON'),
  ).action(rehearse)
}

async function rehearse(campaignFile: string, leadsFile: string, options: RehearseOptions): Promise<void> {
  if (options.days < 1 || options.days > daysMax) throw new CommandError(`--days: Use 1 to ${daysMax}.`)
  const content = parseObject(await readFile(campaignFile, 'utf8'), {
    file: campaignFile,
    like: 'the body of POST /v2/campaigns',
  })
  const expectations =
    options.expect === undefined ? [] : readExpectations(await readFile(options.expect, 'utf8'), options.expect)
  // The whole file is read before anything is created, so an invalid CSV leaves nothing behind.
  await rehearsalLeads(createReadStream(leadsFile), '').forEach(() => undefined)
  const client = await connectClient(options, { timeoutMs: patienceMs })
  const { environment } = await client.account.get()
  if (environment !== 'test') throw new CommandError('A rehearsal needs a test key (ovt_test_…).')
  const run = Math.trunc(performance.timeOrigin).toString(36)
  const stage = await setUp(client, content, run)
  try {
    const stats = await play(client, { ...stage, run, leadsFile, days: options.days })
    report(stats, expectations, options)
  } finally {
    if (options.keep !== true) await clear(client, stage)
  }
}

interface Stage {
  campaignId: string
  senderIds: readonly string[]
}

/** Creates the campaign of the file, with as many simulated sending accounts as it names. */
async function setUp(client: Overture, content: Record<string, unknown>, run: string): Promise<Stage> {
  const named = content['sendingAccountIds']
  const count = Array.isArray(named) ? Math.min(sendersMax, Math.max(1, named.length)) : 1
  const senderIds: string[] = []
  for (let number = 1; number <= count; number++) {
    const email = `rehearsal-${run}-${number}@example.com`
    senderIds.push((await client.sendingAccounts.create({ email, fromName: 'Rehearsal', provider: 'sandbox' })).id)
  }
  try {
    const body = { ...content, sendingAccountIds: senderIds } as Parameters<Overture['campaigns']['create']>[0]
    return { campaignId: (await client.campaigns.create(body)).id, senderIds }
  } catch (error) {
    for (const id of senderIds) await client.sendingAccounts.delete(id)
    throw error
  }
}

async function play(
  client: Overture,
  { campaignId, run, leadsFile, days }: Stage & { run: string; leadsFile: string; days: number },
): Promise<CampaignStats> {
  const leads = Readable.toWeb(rehearsalLeads(createReadStream(leadsFile), run)) as ReadableStream<Uint8Array>
  const job = await importLeads(client, { campaignId, body: leads, onDuplicate: 'skip' })
  if (job.failed > 0) console.error(`${job.failed} rows were rejected: overture api imports.errors ${job.id}`)
  await client.campaigns.start(campaignId)
  await testClock(client).advance(`${days}d`)
  return client.campaigns.stats(campaignId)
}

function report(stats: CampaignStats, expectations: readonly Expectation[], options: OutputOptions): void {
  const missed = judge(stats, expectations)
  const counted = `${stats.leads} leads, ${stats.sent} sent, ${stats.uniqueReplied} replied, ${stats.bounced} bounced`
  show({ stats, missed }, [counted, ...missed.map((one) => `  ${sayMissed(one)}`)].join('\n'), options)
  if (missed.length > 0) process.exitCode = 1
  else if (expectations.length > 0) console.error(`All ${expectations.length} statistics are as expected.`)
}

async function clear(client: Overture, { campaignId, senderIds }: Stage): Promise<void> {
  const { status } = await client.campaigns.get(campaignId)
  if (status === 'active' || status === 'scheduled') await client.campaigns.pause(campaignId)
  await client.campaigns.delete(campaignId)
  for (const id of senderIds) {
    await archiveConversations(client, id)
    await client.sendingAccounts.delete(id)
  }
}

/** Archives all conversations of a sending account, since it can't be deleted while conversations are open. */
async function archiveConversations(client: Overture, sendingAccountId: string): Promise<void> {
  const conversations = await client.conversations.list({ sendingAccountId }).toArray({ max: conversationsMax })
  for (let from = 0; from < conversations.length; from += bulkMax) {
    const ids = conversations.slice(from, from + bulkMax).map(({ id }) => id)
    await client.conversations.bulkUpdate({ ids, archived: true })
  }
}
