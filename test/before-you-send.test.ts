import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtCli } from '@overture/testing/programs/program.ts'
import type { AccountForecast, Diagnosis } from '@overture/contract/delivery/diagnosis.ts'
import type { ForecastOutput } from '@overture/contract/delivery/delivery.ts'
import type { CampaignDryRun } from '@overture/contract/delivery/dry-run.ts'
import type { Preflight } from '@overture/contract/delivery/preflight.ts'
import { Overture } from '@overture/sdk'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'

const repository = resolve(import.meta.dirname, '..')
const page = readFileSync(join(repository, 'docs/before-you-send.md'), 'utf8')
const examples = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script]) => script!)

const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const content = {
  name: 'Asked',
  steps: [
    { variants: [{ subject: 'Hello {{ firstName }}', body: 'A question.' }] },
    { waitBefore: { value: 2, unit: 'days' as const }, variants: [{ body: 'Again.' }] },
  ],
  schedule: { timezone: 'UTC', windows: [{ days: [...everyDay], from: '00:00', to: '24:00' as const }] },
}

let product: RunningProduct
let overture: Overture
let folder: string
let campaignId: string
beforeAll(async () => {
  product = await startRunningServer()
  folder = await mkdtemp(join(tmpdir(), 'overture-before-'))
  overture = new Overture({ apiKey: product.keys.test, baseUrl: product.url })
  const sender = await overture.sendingAccounts.create({
    email: 'sales@own.test',
    fromName: 'Grace',
    provider: 'sandbox',
    dailyLimit: 2,
    minGapSeconds: 0,
    maxGapSeconds: 0,
  })
  const campaign = await overture.campaigns.create({ ...content, sendingAccountIds: [sender.id] })
  campaignId = campaign.id
  const leads = Array.from({ length: 6 }, (_, at) => ({ email: `lead${at}@prospects.test`, firstName: 'Ada' }))
  await overture.campaigns.leads.add(campaignId, { leads: [...leads, { email: 'nameless@prospects.test' }] })
})
afterAll(async () => {
  await product.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the page's shell code unchanged. */
async function run(script: string): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    OVERTURE_URL: product.url,
    OVERTURE_API_KEY: product.keys.test,
    CAMPAIGN_ID: campaignId,
  }
  // Replaces npx by the command of this repository, which works in any folder.
  const words = script.replace('npx overture', `'${process.execPath}' '${await builtCli()}'`)
  return (await promisify(execFile)('bash', ['-euc', words], { env, cwd: folder })).stdout
}
const answerTo = async <Answer>(script: string) => JSON.parse(await run(script)) as Answer

test('the commands of the page "Before you send" return what it describes', async ({ skip }) => {
  if (!(await promisify(execFile)('curl', ['--version']).catch(() => null))) return skip('curl is not installed here.')
  expect(examples).toHaveLength(6)
  const [preflight, forecast, all, diagnose, dryRun, rehearse] = examples as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]

  const may = await answerTo<Preflight>(preflight)
  expect(may).toMatchObject({ ready: true, blockers: [], capacityPerDay: 2 })
  expect(may.warnings.map(({ code, ref, count }) => [code, ref, count])).toContainEqual([
    'missing_variable',
    'firstName',
    1,
  ])

  const ahead = await answerTo<ForecastOutput>(forecast)
  expect(ahead.finishesOn).toBe(may.finishesOn)
  expect(ahead.days.reduce((sum, day) => sum + day.first, 0)).toBe(6)
  expect(ahead.unscheduled).toEqual([{ reason: 'missing_variable', count: 1 }])

  await overture.campaigns.start(campaignId)
  expect((await answerTo<AccountForecast>(all)).days).toHaveLength(14)
  const held = await answerTo<Diagnosis>(diagnose)
  expect(held.levers.map(({ change }) => change.path)).toContainEqual(
    expect.stringMatching(/^sendingAccounts\..*\.dailyLimit$/),
  )

  const tried = await answerTo<CampaignDryRun>(dryRun)
  expect(tried.campaign.steps).toHaveLength(1)
  expect(tried.effects.moved.length).toBeGreaterThan(0)
  const messages = ({ days }: ForecastOutput) => days.reduce((sum, day) => sum + day.first + day.followUp, 0)
  expect(messages(tried.forecastAfter)).toBeLessThan(messages(tried.forecastBefore))
  expect((await overture.campaigns.get(campaignId)).steps).toHaveLength(2)

  await writeFile(join(folder, 'campaign.json'), JSON.stringify({ ...content, sendingAccountIds: ['snd_one'] }))
  await writeFile(
    join(folder, 'leads.csv'),
    'email,firstName\nada+reply@corp.example.com,Ada\nben@corp.example.com,Ben\n',
  )
  await writeFile(join(folder, 'expected.json'), JSON.stringify({ leads: 2, uniqueReplied: 1 }))
  expect(await run(rehearse)).toContain('2 leads')
})
