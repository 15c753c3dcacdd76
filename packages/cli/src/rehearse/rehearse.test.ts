import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { CampaignStats } from '@overture/sdk'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { builtCli } from '@overture/testing/programs/program.ts'
import { email } from '@overture/contract/common.ts'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'
import { judge, readExpectations, sayMissed } from './expectations.ts'
import { rehearsalLeads, simulatedAddress } from './rehearsal-leads.ts'

// Each test plays a whole campaign.
vi.setConfig({ testTimeout: 120_000 })

const program = await builtCli()
let product: RunningProduct
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-rehearse-'))
  product = await startRunningServer()
  await writeFile(
    join(folder, 'campaign.json'),
    JSON.stringify({
      name: 'Rehearsed',
      steps: [
        { variants: [{ subject: 'Hello {{ firstName }}', body: 'A question.' }] },
        { waitBefore: { value: 2, unit: 'days' }, variants: [{ subject: '', body: 'Again.' }] },
      ],
      schedule: { windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }] },
      sendingAccountIds: ['snd_of_live_1', 'snd_of_live_2'],
    }),
  )
  await writeFile(join(folder, 'nobody.csv'), 'First name\nAda\n')
  const rows = ['ada+reply@corp.example.com,Ada', 'ben+bounce@corp.example.com,Ben', 'cleo@corp.example.com,Cleo']
  await writeFile(join(folder, 'leads.csv'), `E-mail,First name\n${rows.join('\n')}\n`)
})
afterAll(async () => {
  await product.stop()
  await rm(folder, { recursive: true, force: true })
})

function run(
  words: readonly string[],
  key = product.keys.test,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, HOME: folder, OVERTURE_API_KEY: key, OVERTURE_URL: product.url }
  return new Promise((resolve) => {
    execFile(process.execPath, [program, 'rehearse', ...words], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}
const left = async () => {
  const ask = async (path: string) => {
    const answer = await fetch(`${product.url}${path}`, { headers: { authorization: `Bearer ${product.keys.test}` } })
    return ((await answer.json()) as { pagination: { totalCount: number } }).pagination.totalCount
  }
  return [await ask('/v2/campaigns'), await ask('/v2/sending-accounts')]
}

describe('a rehearsal', () => {
  test('simulates the campaign, checks its statistics, and leaves nothing behind', async () => {
    const expected = { leads: 3, sent: 4, uniqueReplied: 1, bounced: { min: 1 }, 'rates.unsubscribe': { max: 0 } }
    await writeFile(join(folder, 'expected.json'), JSON.stringify(expected))
    const done = await run(['campaign.json', 'leads.csv', '--days', '7', '--expect', 'expected.json'])
    expect(done).toEqual({
      code: 0,
      stdout: '3 leads, 4 sent, 1 replied, 1 bounced\n',
      stderr: 'All 5 statistics are as expected.\n',
    })
    expect(await left()).toEqual([0, 0])
  })

  test("exits with 1 and the names of statistics that aren't as expected", async () => {
    await writeFile(
      join(folder, 'wrong.json'),
      JSON.stringify({ sent: { min: 5 }, 'rates.bounce': { max: 0.02 }, leads: 3 }),
    )
    const done = await run(['campaign.json', 'leads.csv', '--days', '7', '--expect', 'wrong.json', '--json'])
    expect(done.code).toBe(1)
    const { missed } = JSON.parse(done.stdout) as { missed: { name: string; actual: number }[] }
    expect(missed.map(({ name }) => name)).toEqual(['sent', 'rates.bounce'])
    expect(await left()).toEqual([0, 0])
  })

  test.each([
    ['a live key', ['campaign.json', 'leads.csv', '--days', '1'], 'A rehearsal needs a test key'],
    ['no days', ['campaign.json', 'leads.csv', '--days', '0'], '--days: Use 1 to 366'],
    ['a file that is not JSON', ['leads.csv', 'leads.csv', '--days', '1'], 'leads.csv is not JSON.'],
    ['a file that does not exist', ['gone.json', 'leads.csv', '--days', '1'], 'gone.json'],
    ['leads without an address', ['campaign.json', 'nobody.csv', '--days', '1'], 'The leads have no column email'],
    ['what the API refuses', ['bad.json', 'leads.csv', '--days', '1'], 'steps[0].variants[0].subject'],
  ])('refuses %s and leaves nothing behind', async (name, words, reason) => {
    await writeFile(join(folder, 'bad.json'), JSON.stringify({ name: 'Bad', steps: [{ variants: [{ subject: 7 }] }] }))
    const refused = await run(words, name === 'a live key' ? product.keys.live : undefined)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(reason)])
    expect(refused.stderr).not.toContain('    at ')
    expect(await left()).toEqual([0, 0])
  })
})

const stats = { sent: 4, bounced: 1, rates: { reply: 0.25 } } as unknown as CampaignStats

test.each([
  ['{"sent": 4}', []],
  ['{"sent": 5}', ['sent is 4, not 5']],
  ['{"sent": {"min": 5}}', ['sent is 4, less than 5']],
  ['{"sent": {"max": 3}, "bounced": {"min": 1, "max": 1}}', ['sent is 4, more than 3']],
  ['{"rates.reply": {"max": 0.2}}', ['rates.reply is 0.25, more than 0.2']],
])('%s', (text, missed) => expect(judge(stats, readExpectations(text, 'x.json')).map(sayMissed)).toEqual(missed))

test.each([
  ['not JSON', '{', 'x.json is not JSON.'],
  ['a list', '[]', 'Use a JSON object'],
  ['a text instead of a number', '{"sent": "4"}', 'x.json: sent: Use a number'],
  ['an empty range', '{"sent": {}}', 'x.json: sent: Use a number'],
  ['a range of another shape', '{"sent": {"least": 3}}', 'x.json: sent: Use a number'],
  ['a range that nothing is in', '{"sent": {"min": 3, "max": 2}}', 'min is greater than max'],
  ['a name that no statistic has', '{"rates.replies": 1}', 'rates.replies is not a statistic. Use one of sent'],
  ['a name of another thing', '{"constructor": 1}', 'constructor is not a statistic'],
])('expectations with %s are refused', (_name, text, reason) =>
  expect(() => judge(stats, readExpectations(text, 'x.json'))).toThrow(reason),
)

test.each([
  ['Ada+Reply@corp.example.com', 'x7.1.ada+reply@prospects.test'],
  ['ada.b+open+reply@x.test', 'x7.1.ada.b+open+reply@prospects.test'],
  [' "odd one"@x.test', 'x7.1.oddone@prospects.test'],
  ['', 'x7.1@prospects.test'],
])('%s is simulated as %s', (address, played) => expect(simulatedAddress(address, { run: 'x7', row: 1 })).toBe(played))

test('simulated addresses are never real, and every row has its own', () =>
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), fc.integer({ min: 1, max: 1_000_000 }), (address, row) => {
      const played = simulatedAddress(address, { run: 'x7', row })
      expect(played).toMatch(/@prospects\.test$/)
      expect(simulatedAddress(address, { run: 'x8', row })).not.toBe(played)
      expect(email.safeParse(played).success).toBe(true)
      expect(simulatedAddress(address, { run: 'x7', row: row + 1 })).not.toBe(played)
    }),
  ))

test('other columns are unchanged, including quotes and line breaks', async () => {
  const csv = 'email,note\r\n"ada@x.test","says ""hi"",\nand more"\r\nben@x.test,\r\n'
  expect(await text(rehearsalLeads(Readable.from([csv]), 'x7'))).toBe(
    'email,note\nx7.1.ada@prospects.test,"says ""hi"",\nand more"\nx7.2.ben@prospects.test,\n',
  )
})

test('an invalid CSV file is refused with a message', async () => {
  await expect(text(rehearsalLeads(Readable.from(['email\n"ada@x.test']), 'x7'))).rejects.toThrow(
    "The leads can't be read",
  )
})
