import { secondMs } from '@overture/ground/time/spans.ts'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startDnsDouble, type DnsDouble } from '@overture/testing/mail/dns-double.server.ts'
import { createNames, lookupsMax, type NameAnswer, type Names } from './names.client.ts'

const patientMs = 30_000

let dns: DnsDouble
let folder: string
let nowMs = 0
let names: Names

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-names-'))
  await writeFile(
    join(folder, 'hosts'),
    '# ours\n127.0.0.1 localhost\n::1 printer\n10.1.2.3 Printer printer.office # both\r\nnonsense here\n',
  )
})
beforeEach(async () => {
  dns = await startDnsDouble({ A: {}, AAAA: {} })
  nowMs = 0
  names = makeNames()
})
afterEach(() => dns.stop())
afterAll(() => rm(folder, { recursive: true }))

const makeNames = () =>
  createNames({
    servers: [dns.server],
    hostsFile: join(folder, 'hosts'),
    nowMs: () => nowMs,
  })

function knows(name: string, ...addresses: string[]): void {
  dns.records.A![name] = addresses.filter((address) => !address.includes(':'))
  dns.records.AAAA![name] = addresses.filter((address) => address.includes(':'))
}

const ask = (host: string, accountId = 'acc_a', timeoutMs = patientMs): Promise<NameAnswer> =>
  names.listAddresses(host, { accountId, timeoutMs })
const found = (...addresses: string[]): NameAnswer => ({ kind: 'found', addresses })

describe('a host name', () => {
  test('resolves to addresses of both families, IPv4 first, in any spelling', async () => {
    knows('mail.example.com', '192.0.2.7', '192.0.2.8', '2001:db8::7')
    for (const host of ['mail.example.com', 'MAIL.Example.com', 'mail.example.com.'])
      expect(await ask(host)).toEqual(found('192.0.2.7', '192.0.2.8', '2001:db8::7'))
    knows('xn--bcher-kva.example', '192.0.2.9')
    expect(await ask('bücher.example')).toEqual(found('192.0.2.9'))
  })

  test("with one family only doesn't wait long for the other", async () => {
    knows('v6.example.com', '2001:db8::7')
    expect(await ask('v6.example.com')).toEqual(found('2001:db8::7'))
  })

  test('in the hosts file, and localhost, needs no query', async () => {
    expect(await ask('PRINTER')).toEqual(found('10.1.2.3', '::1'))
    expect(await ask('printer.office')).toEqual(found('10.1.2.3'))
    expect(await ask('localhost')).toEqual(found('127.0.0.1'))
    expect(await ask('app.localhost')).toEqual(found('127.0.0.1', '::1'))
    expect(dns.asked).toEqual([])
  })

  test('that is invalid is never queried and never found', async () => {
    const label = fc.string({ unit: 'binary', maxLength: 70 })
    const odd = fc.oneof(
      label,
      fc.tuple(label, fc.integer({ min: 0 })).map(([begin, end]) => `${begin}.${end}`),
      fc.constantFrom(
        '',
        '.',
        '..',
        'a..b',
        'constructor',
        '__proto__',
        '-a.test',
        '127.1',
        '0x7f000001',
        '2130706433',
        'a'.repeat(64),
        '[::1]',
      ),
      fc.constant(`${'a.'.repeat(130)}test`),
    )
    await fc.assert(
      fc.asyncProperty(odd, async (host) => {
        const before = dns.asked.length
        expect((await ask(host)).kind).not.toBe('found')
        for (const name of dns.asked.slice(before)) expect(name).toMatch(/^[a-z0-9_][a-z0-9_.-]*$/)
      }),
      { numRuns: 300 },
    )
  })
})

describe('a DNS answer is kept', () => {
  const asksOf = (name: string) => dns.asked.filter((asked) => asked === name).length / 2

  test.each([
    [1, 30],
    [45, 45],
    [86_400, 60],
  ])('with a TTL of %i s for %i s', async (ttlSeconds, keptSeconds) => {
    dns.ttlSeconds = ttlSeconds
    knows('mail.example.com', '192.0.2.7')
    await ask('mail.example.com')
    nowMs = keptSeconds * secondMs - 1
    knows('mail.example.com', '192.0.2.8')
    expect(await ask('mail.example.com')).toEqual(found('192.0.2.7'))
    nowMs = keptSeconds * secondMs
    expect(await ask('mail.example.com')).toEqual(found('192.0.2.8'))
    expect(asksOf('mail.example.com')).toBe(2)
  })

  test("also if the name doesn't exist or the query failed", async () => {
    expect(await ask('none.example.com')).toEqual({ kind: 'none' })
    expect(await ask('none.example.com')).toEqual({ kind: 'none' })
    expect(asksOf('none.example.com')).toBe(1)
    dns.failing = true
    expect(await ask('broken.example.com')).toMatchObject({ kind: 'unanswered' })
    const queryCount = dns.asked.length
    expect(await ask('broken.example.com')).toMatchObject({ kind: 'unanswered' })
    expect(dns.asked.length).toBe(queryCount)
    dns.failing = false
    knows('broken.example.com', '192.0.2.7')
    nowMs = 10 * secondMs
    expect(await ask('broken.example.com')).toEqual(found('192.0.2.7'))
  })

  test('and shared by simultaneous lookups', async () => {
    knows('mail.example.com', '192.0.2.7')
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => ask('mail.example.com', `acc_${index}`)),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(asksOf('mail.example.com')).toBe(1)
  })
})

describe('an account with unanswered names', () => {
  test("has few queries at once, and other accounts don't wait, even for the same name", async () => {
    dns.dead = (name) => name.endsWith('.dead.test')
    knows('smtp.example.com', '192.0.2.7')
    let given = 0
    const dead = Array.from({ length: 100 }, (_, index) => ask(`n${index}.dead.test`, 'acc_bad', 20_000))
    for (const answer of dead) void answer.then(() => given++)
    // This lookup waits behind the dead ones of the same account.
    const own = ask('smtp.example.com', 'acc_bad', 1_000)
    await expect.poll(() => dns.asked.length, { interval: 5 }).toBeGreaterThanOrEqual(lookupsMax * 2)
    for (let account = 0; account < 20; account++) {
      knows(`mx${account}.example.com`, '192.0.2.8')
      expect(await ask(`mx${account}.example.com`, `acc_${account}`)).toEqual(found('192.0.2.8'))
    }
    expect(await ask('smtp.example.com', 'acc_good')).toEqual(found('192.0.2.7'))
    expect(given).toBeLessThan(dead.length)
    expect(new Set(dns.asked.filter((name) => name.endsWith('.dead.test'))).size).toBeLessThan(dead.length)
    expect((await own).kind).toBe('unanswered')
  })

  test('gets its queries back, and later lookups work', async () => {
    dns.dead = (name) => name.endsWith('.dead.test')
    await Promise.all(Array.from({ length: lookupsMax * 2 }, (_, index) => ask(`n${index}.dead.test`, 'acc_bad', 50)))
    knows('alive.example.com', '192.0.2.7')
    await expect.poll(() => ask('alive.example.com', 'acc_bad', 1_000), { timeout: 20_000 }).toEqual(found('192.0.2.7'))
  })

  test('may look up many names, good and dead ones in any order', async () => {
    const hosts = fc.array(fc.tuple(fc.boolean(), fc.nat(40)), { minLength: 1, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(hosts, async (asked) => {
        names = makeNames()
        const answers = await Promise.all(
          asked.map(async ([good, number]) => {
            const host = `n${number}.${good ? 'good' : 'gone'}.test`
            if (good) knows(host, `192.0.2.${number}`)
            return { good, number, answer: await ask(host) }
          }),
        )
        for (const { good, number, answer } of answers)
          expect(answer).toEqual(good ? found(`192.0.2.${number}`) : { kind: 'none' })
      }),
      { numRuns: 20 },
    )
  })
})
