import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { builtCli } from '@overture/testing/programs/program.ts'
import { Overture, type Campaign } from '@overture/sdk'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'

// Each test runs the command against a whole server.
vi.setConfig({ testTimeout: 180_000 })

const program = await builtCli()
let product: RunningProduct
let overture: Overture
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-move-'))
  product = await startRunningServer()
  overture = new Overture({ apiKey: product.keys.test, baseUrl: product.url })
})
afterAll(async () => {
  await product.stop()
  await rm(folder, { recursive: true, force: true })
})

async function file(name: string, content: string | Buffer | object): Promise<string> {
  const path = join(folder, name)
  const isWritten = typeof content === 'string' || Buffer.isBuffer(content)
  await writeFile(path, isWritten ? content : JSON.stringify(content))
  return path
}

async function move(words: readonly string[], key = product.keys.test) {
  const report = join(folder, `report-${Math.random()}.csv`)
  const env = { PATH: process.env['PATH'], XDG_CONFIG_HOME: folder, OVERTURE_API_KEY: key, OVERTURE_URL: product.url }
  const child = spawn(process.execPath, [program, 'move-from', ...words, '--report', report], { env, stdio: 'pipe' })
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exit])
  const written = await readFile(report, 'utf8').catch(() => '')
  const lines = parse(written, { columns: true }) as Record<'outcome' | 'file' | 'line' | 'email' | 'why', string>[]
  return { stdout, stderr, code, lines }
}

async function leadsOf(name: string): Promise<string[]> {
  const { results } = await overture.campaigns.list({ q: name, limit: 100 })
  const leads = await Promise.all(results.map(({ id }) => overture.campaigns.leads.list(id, { limit: 100 })))
  return leads.flatMap(({ results: ones }) => ones.map(({ email }) => email)).toSorted()
}

async function draft(name: string): Promise<Campaign> {
  const [found] = (await overture.campaigns.list({ q: name })).results
  return found!
}

async function suppressed(): Promise<string[]> {
  const { results } = await overture.suppressions.list({ limit: 100 })
  return results.map(({ email, domain }) => email ?? domain ?? '').toSorted((one, other) => one.localeCompare(other))
}

const variants = [{ subject: 'Hi {{firstName}}', body: '{{RANDOM|Hello|Hey}} {{personalization}}' }]

describe('moving from Instantly', () => {
  const campaign = {
    id: 'i-1',
    name: 'From Instantly',
    sequences: [{ steps: [{ type: 'email', delay: 2, variants }] }],
  }
  const leads = [
    'Email,First Name,Personalization,Lead Status,Campaign',
    'new@i.test,New,"Nice, hat",Active,From Instantly',
    'written@i.test,Written,x,Completed,From Instantly',
    'bounced@i.test,Bounced,x,Bounced,From Instantly',
    'out@i.test,Out,x,Unsubscribed,From Instantly',
    'blocked@i.test,Blocked,x,Active,From Instantly',
    'ceo@rival.test,Rival,x,Active,From Instantly',
    'twice@i.test,Twice,x,Active,From Instantly',
    'Twice@i.test,Twice,x,Completed,From Instantly',
    'odd@i.test,Odd,x,Hibernating,From Instantly',
    'elsewhere@i.test,Else,x,Active,Another',
    ',Nobody,x,Active,From Instantly',
    'no address,Bad,x,Active,From Instantly',
  ].join('\r\n')
  const all = async () => [
    await file('instantly.json', campaign),
    await file('instantly.csv', `\uFEFF${leads}\r\n`),
    await file('blocklist.csv', 'Email or Domain\nblocked@i.test\n@rival.test\n=2+2\n'),
  ]

  test('suppresses opt-outs, leaves out contacted leads, and adds the rest to a draft', async () => {
    const { code, stderr, lines, stdout } = await move(['instantly', ...(await all())])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('1 campaign made')
    expect(await leadsOf('From Instantly')).toEqual(['new@i.test'])
    expect(await suppressed()).toEqual(['blocked@i.test', 'bounced@i.test', 'out@i.test', 'rival.test'])
    const { status, steps } = await draft('From Instantly')
    expect([status, steps[0]!.variants[0]!.body]).toEqual([
      'draft',
      '{{ "Hello|Hey" | spin }} {{ customVariables.personalization }}',
    ])
    const lineOf = (email: string) => lines.findLast((line) => line.email === email)
    expect(lineOf('written@i.test')).toMatchObject({
      outcome: 'left out',
      line: '3',
      why: 'was contacted: status Completed',
    })
    expect(lineOf('bounced@i.test')).toMatchObject({ outcome: 'left out' })
    expect(lineOf('blocked@i.test')).toMatchObject({ outcome: 'left out', why: 'suppressed' })
    expect(lineOf('twice@i.test')).toMatchObject({ outcome: 'left out', line: '8' })
    expect(lineOf('odd@i.test')!.why).toContain('Hibernating')
    expect(lineOf('elsewhere@i.test')!.why).toContain('Another')
    expect(lineOf('no address')).toMatchObject({ outcome: 'refused', line: '13' })
    expect(lines.find(({ line, why }) => line === '12' && why === 'no address')).toBeDefined()
    // The report is opened in a spreadsheet, where a cell that begins like a formula would be one.
    expect(lines.find(({ email }) => email.endsWith('=2+2'))!.email).not.toMatch(/^=/)
  })

  test('a second run changes nothing twice', async () => {
    const before = await suppressed()
    const { code, lines } = await move(['instantly', ...(await all())])
    expect(code).toBe(0)
    expect((await overture.campaigns.list({ q: 'From Instantly' })).results).toHaveLength(1)
    expect(await leadsOf('From Instantly')).toEqual(['new@i.test'])
    expect(await suppressed()).toEqual(before)
    expect(lines.filter(({ outcome }) => ['added', 'campaign made'].includes(outcome))).toEqual([])
    expect(lines.map(({ outcome }) => outcome)).toContain('there already')
  })

  test('a deleted draft is created again, and a running campaign stays unchanged', async () => {
    const { id } = await draft('From Instantly')
    await overture.campaigns.delete(id)
    await move(['instantly', ...(await all())])
    const again = await draft('From Instantly')
    expect(await leadsOf('From Instantly')).toEqual(['new@i.test'])
    const sender = await overture.sendingAccounts.create({
      email: 'sales@own.test',
      fromName: 'Grace',
      provider: 'smtp',
      smtp: { host: '127.0.0.1', port: 25, security: 'none', username: 'a', password: 'b' },
    })
    // Otherwise the campaign would complete as soon as it starts, if its window is open when the test runs, since its lead lacks a
    // variable.
    const aroundToday = [-1, 0, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))
    const schedule = { ...again.schedule, blackoutDates: aroundToday }
    await overture.campaigns.update(again.id, { sendingAccountIds: [sender.id], schedule })
    await overture.campaigns.start(again.id)
    const late = await file('late.csv', 'Email,Campaign\nlate@i.test,From Instantly\n')
    const { lines } = await move(['instantly', (await all())[0]!, late])
    expect(lines.find(({ email }) => email === 'late@i.test')!.why).toContain('active')
    expect(await leadsOf('From Instantly')).toEqual(['new@i.test'])
  })
})

test("from Smartlead and Lemlist: leads go to their file's campaign, opt-outs are first", async () => {
  const smart = await file('smart.json', {
    id: 3,
    name: 'From Smartlead',
    sequences: [{ seq_number: 1, subject: '{Hi|Hey} {{first_name}}', email_body: '<p>Hello</p>' }],
  })
  const rows = [
    'id,status,first_name,email,is_unsubscribed',
    '1,STARTED,Ada,ada@s.test,false',
    '2,COMPLETED,Bob,bob@s.test,false',
  ]
  const smartLeads = await file('smart.csv', [...rows, '3,STARTED,Eve,eve@s.test,true'].join('\n'))
  expect((await move(['smartlead', smart, smartLeads])).code).toBe(0)
  expect(await leadsOf('From Smartlead')).toEqual(['ada@s.test'])
  const lem = await file('lem.json', {
    name: 'From Lemlist',
    steps: [{ type: 'email', subject: 'Hi', message: '{{icebreaker}}' }],
  })
  const lemLeads = await file(
    'lem.csv',
    'email;firstName;icebreaker;lastState\nada@l.test;Ada;Oh;\nbob@l.test;Bob;Oh;emailsSent\n',
  )
  const unsubscribes = await file('unsubscribes.csv', '_id,value\nuns_1,gone@l.test\n')
  expect((await move(['lemlist', lem, lemLeads, unsubscribes])).code).toBe(0)
  expect(await leadsOf('From Lemlist')).toEqual(['ada@l.test'])
  expect(await suppressed()).toEqual(expect.arrayContaining(['eve@s.test', 'gone@l.test']))
})

test('spreadsheet files are read in their own encodings, with notes about odd columns and lines', async () => {
  const json = { name: 'Frühling', sequences: [{ steps: [{ variants: [{ subject: 's', body: '{{hook}}' }] }] }] }
  const campaign = await file('wide.json', Buffer.from(`\uFEFF${JSON.stringify(json)}`, 'utf16le'))
  const lines = [
    'Email;First Name;"Say ""a;b,c,d,e"" once";Hook;HOOK;Lead Status',
    'zoe@wide.test;Zoë;x;;Oh;Active',
    'torn@wide.test;Torn',
    'shifted@wide.test;Ada; Lovelace;x;y;z;Active',
  ]
  const wide = Buffer.from(`\uFEFF${lines.join('\r\n')}`, 'utf16le').swap16()
  const blocked = await file('wide-blocklist.csv', Buffer.from('email\ncaf\xe9@wide.test\ngone@wide.test\n', 'latin1'))
  const found = await move(['instantly', campaign, await file('wide.csv', wide), blocked])
  expect([found.code, found.stderr]).toEqual([0, ''])
  const [lead] = (await overture.campaigns.leads.list((await draft('Frühling')).id)).results
  expect(lead).toMatchObject({ email: 'zoe@wide.test', firstName: 'Zoë', customVariables: { hook: 'Oh' } })
  expect(await leadsOf('Frühling')).toEqual(['zoe@wide.test'])
  expect(await suppressed()).toContain('gone@wide.test')
  const reasons = found.lines.filter(({ outcome }) => ['note', 'refused'].includes(outcome)).map(({ why }) => why)
  expect(reasons).toEqual(
    expect.arrayContaining([
      expect.stringContaining('Columns 4 (Hook), 5 (HOOK) all mean hook'),
      expect.stringContaining('Column 3 (Say "a;b,c,d,e" once) is unknown for instantly'),
      expect.stringContaining('2 cells under 6 titles'),
      expect.stringContaining('7 cells under 6 titles'),
    ]),
  )
})

test('thousands of rows are read and added in parts', async () => {
  const json = await file('many.json', {
    name: 'Many',
    sequences: [{ steps: [{ variants: [{ subject: 's', body: 'b' }] }] }],
  })
  const rows = Array.from({ length: 3_500 }, (_, index) => `lead${index}@many.test,Ada`)
  const { code, stdout } = await move([
    'instantly',
    json,
    await file('many.csv', ['Email,First Name', ...rows].join('\n')),
  ])
  expect([code, stdout]).toEqual([0, expect.stringContaining('3500 added')])
})

test('opt-outs are suppressed even if the campaign is refused, and its leads are left out', async () => {
  const json = await file('bad-texts.json', { name: 'Refused', steps: [{ subject: 'Hi', message: '{{ open' }] })
  const { code, lines } = await move([
    'lemlist',
    json,
    await file('bad-texts.csv', 'email,state\nr1@l.test,\nr2@l.test,emailsBounced\n'),
  ])
  expect(code).toBe(0)
  expect(lines.map(({ outcome }) => outcome)).toEqual(['suppressed', 'campaign refused', 'left out', 'left out'])
  expect(await suppressed()).toContain('r2@l.test')
})

describe('an invalid file is refused with its place, and nothing is moved', () => {
  test.each<[string, string, string, RegExp]>([
    ['no JSON', 'broken.json', '{\n "name": "x",\n oops\n}', /broken\.json:3: no JSON/],
    [
      'no campaign',
      'shape.json',
      '{"sequences": [{"steps": [{"variants": []}]}], "name": "x"}',
      /shape\.json: no campaign: sequences/,
    ],
    ['no CSV', 'quotes.csv', 'Email\nada@x.test\n"open', /quotes\.csv:\d+: not readable as CSV/],
    ['another ending', 'leads.xlsx', 'x', /leads\.xlsx: Use JSON files/],
  ])('%s', async (_name, name, content, message) => {
    const { code, stderr } = await move(['instantly', await file(name, content)])
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)])
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  test('a live key without --live moves nothing', async () => {
    const json = await file('live.json', { name: 'Live', sequences: [] })
    const refused = await move(['instantly', json], product.keys.live)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--live')])
    const meant = await move(['instantly', json, '--live'], product.keys.live)
    expect(meant.stdout).toContain('1 campaign made')
    expect(await leadsOf('Live')).toEqual([])
  })
})
