import { expect, test } from 'vitest'
import type { Answer } from './dns-answer.ts'
import { judgeSpf } from './judge-spf.ts'
import { readSpf } from './spf.ts'
import { walkSpf } from './spf-walk.client.ts'

type Zone = { txt?: Record<string, string[]>; mx?: Record<string, string[]>; addresses?: Record<string, string[]> }

/** Name servers that have the given records and count their queries. A dead name gives no response. */
function nameServers(zone: Zone, dead: readonly string[] = []) {
  const asked: string[] = []
  const query =
    (type: keyof Zone) =>
    async (name: string): Promise<Answer> => {
      asked.push(name)
      if (dead.includes(name)) return { kind: 'unknown', message: 'ETIMEOUT' }
      const values = zone[type]?.[name]
      return values === undefined ? { kind: 'none' } : { kind: 'found', values }
    }
  return { asked, dns: { txt: query('txt'), mx: query('mx'), addresses: query('addresses') } }
}

async function check(
  record: string,
  zone: Zone,
  options: { addresses?: string[]; dead?: string[]; host?: string } = {},
) {
  const { asked, dns } = nameServers(zone, options.dead)
  const root = { domain: 'example.com', record, addresses: options.addresses ?? [] }
  const spfWalk = await walkSpf(dns, root)
  const smtpHost = options.host ?? 'smtp.example.com'
  const spf: Answer = { kind: 'found', values: [record] }
  return { asked, walk: spfWalk, check: judgeSpf({ domain: 'example.com', provider: 'smtp', smtpHost, spf, spfWalk }) }
}

/** A record that includes `count` others without includes. */
const wide = (count: number, own = 'w') => ({
  record: `v=spf1 ${Array.from({ length: count }, (_, index) => `include:${own}${index}.test`).join(' ')} -all`,
  txt: Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${own}${index}.test`, ['v=spf1 ip4:192.0.2.1 -all']]),
  ),
})

test('ten lookups pass, eleven do not', async () => {
  const ten = wide(10)
  expect((await check(ten.record, { txt: ten.txt })).check.status).toBe('pass')
  const eleven = wide(11)
  expect((await check(eleven.record, { txt: eleven.txt })).check.status).toBe('invalid')
})

test('lookups inside includes count, and the message names the include that needs most', async () => {
  const inner = wide(9)
  const zone = { txt: { ...inner.txt, 'big.test': [inner.record], 'small.test': ['v=spf1 -all'] } }
  const { check: found, walk } = await check('v=spf1 include:small.test include:big.test ~all', zone)
  expect(walk.lookups).toBe(11)
  expect(found).toMatchObject({ status: 'invalid', put: null })
  expect(found.message).toContain('needs 11 lookups')
  expect(found.message).toContain('include:big.test needs 10, include:small.test needs 1')
})

test('a loop ends and is named', async () => {
  const zone = { txt: { 'a.test': ['v=spf1 include:b.test -all'], 'b.test': ['v=spf1 include:a.test -all'] } }
  const { check: found, asked } = await check('v=spf1 include:a.test -all', zone)
  expect(found).toMatchObject({ status: 'invalid' })
  expect(found.message).toContain('a.test leads back to itself')
  expect(asked).toEqual(['a.test', 'b.test'])
})

test('a tree that grows without end gets a bounded number of queries', async () => {
  const asked: string[] = []
  const txt = async (name: string): Promise<Answer> => {
    asked.push(name)
    const terms = [0, 1, 2, 3].map((index) => `include:${index}.${name}`).join(' ')
    return { kind: 'found', values: [`v=spf1 ${terms} -all`] }
  }
  const none = async (): Promise<Answer> => ({ kind: 'none' })
  const walk = await walkSpf(
    { txt, mx: none, addresses: none },
    { domain: 'example.com', record: 'v=spf1 include:x.test -all', addresses: [] },
  )
  expect(walk.lookups).toBeGreaterThan(10)
  expect(asked.length).toBeLessThanOrEqual(60)
})

test('two names that do not exist pass, three do not', async () => {
  expect((await check('v=spf1 a:x.test a:y.test -all', {})).check.status).toBe('pass')
  const { check: found } = await check('v=spf1 a:x.test a:y.test mx:z.test -all', {})
  expect(found.status).toBe('invalid')
  expect(found.message).toContain('x.test, y.test, z.test')
})

test.each<[string, string, Zone, string]>([
  ['an include without a record', 'v=spf1 include:x.test -all', {}, 'x.test, which has no SPF record'],
  [
    'an include with two records',
    'v=spf1 include:x.test -all',
    { txt: { 'x.test': ['v=spf1 -all', 'v=spf1 ~all'] } },
    'more than one SPF record',
  ],
  [
    'a faulty term in an include',
    'v=spf1 include:x.test -all',
    { txt: { 'x.test': ['v=spf1 ip4:300.1.1.1 -all'] } },
    'term ip4:300.1.1.1',
  ],
  ['a redirect without a record', 'v=spf1 redirect=x.test', {}, 'x.test, which has no SPF record'],
])('%s makes the record invalid', async (_name, record, zone, words) => {
  const { check: found } = await check(record, zone)
  expect(found.status).toBe('invalid')
  expect(found.message).toContain(words)
})

test('a name server without a response makes the check unknown', async () => {
  const { check: found } = await check('v=spf1 include:x.test -all', {}, { dead: ['x.test'] })
  expect(found).toMatchObject({ status: 'unknown', message: 'The DNS lookup of x.test failed: ETIMEOUT.' })
})

const hosts: Zone = {
  txt: {
    'spf.host.test': ['v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all'],
    'nested.test': ['v=spf1 include:spf.host.test ?all'],
    'minus.test': ['v=spf1 -ip4:192.0.2.7 +all'],
  },
  mx: { 'example.com': ['mx.example.com'] },
  addresses: { 'mx.example.com': ['192.0.2.7'], 'example.com': ['198.51.100.1'] },
}

test.each<[string, string, boolean | null]>([
  ['a network', 'v=spf1 ip4:192.0.2.0/28 -all', true],
  ['another network', 'v=spf1 ip4:198.51.100.0/24 -all', false],
  ['an include', 'v=spf1 include:spf.host.test -all', true],
  ['an include of an include', 'v=spf1 include:nested.test -all', true],
  ['a redirect', 'v=spf1 redirect=spf.host.test', true],
  ['no redirect after all', 'v=spf1 redirect=spf.host.test -all', false],
  ['the exchange', 'v=spf1 mx -all', true],
  ['a host with a network', 'v=spf1 a:mx.example.com/24 -all', true],
  ['the address of the domain', 'v=spf1 a -all', false],
  ['an exception before a match', 'v=spf1 -ip4:192.0.2.7 ip4:192.0.2.0/24 -all', false],
  ['an include that excludes it', 'v=spf1 include:minus.test -all', false],
  ['a term after all', 'v=spf1 -all ip4:192.0.2.7', false],
  ['a macro', 'v=spf1 exists:%{i}.spf.test -all', null],
])('the sending host is covered by %s', async (_name, record, covered) => {
  expect((await check(record, hosts, { addresses: ['192.0.2.7'] })).walk.covered).toBe(covered)
})

test('a sending host that is not covered is named with the record to publish', async () => {
  const { check: found } = await check('v=spf1 mx:example.com -all', {}, { addresses: ['203.0.113.9'] })
  expect(found).toMatchObject({ status: 'warning', put: { value: 'v=spf1 a:smtp.example.com mx:example.com -all' } })
  expect(found.message).toContain('does not allow smtp.example.com')
})

test("a provider's include covers its submission server", async () => {
  const zone = { txt: { '_spf.host.test': ['v=spf1 ip4:192.0.2.0/24 -all'] } }
  const options = { addresses: ['203.0.113.9'], host: 'smtp.host.test' }
  expect((await check('v=spf1 include:_spf.host.test -all', zone, options)).check.status).toBe('pass')
})

test('a password account of Google needs the include of Google', async () => {
  const { check: found } = await check('v=spf1 -all', {}, { host: 'smtp.gmail.com' })
  expect(found).toMatchObject({ status: 'invalid', put: { value: 'v=spf1 include:_spf.google.com -all' } })
  const zone = { txt: { 'all.test': ['v=spf1 include:_spf.google.com -all'], '_spf.google.com': ['v=spf1 -all'] } }
  expect((await check('v=spf1 include:all.test -all', zone, { host: 'smtp.gmail.com' })).check.status).toBe('pass')
})

test.each(['ipv4:192.0.2.1', 'include:', 'a:x.test/99', 'ip4:192.0.2.0/40', 'all,', '-', 'ip6:192.0.2.1'])(
  'the term %s is faulty',
  (text) => {
    expect(readSpf(`v=spf1 ${text} -all`)[0]?.kind).toBe('faulty')
  },
)
