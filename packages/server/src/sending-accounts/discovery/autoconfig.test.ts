import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSendingAccountInput } from '@overture/contract/sending-accounts/sending-accounts.ts'
import { readAutoconfig } from './autoconfig.ts'
import { bestService } from './candidates.ts'
import { knownProviders, providerOfExchanges } from './known-providers.ts'
import { fillIn, server } from './server-pair.ts'

const email = 'ada.lovelace@example.com'
const file = (inside: string): string =>
  `<?xml version="1.0"?><clientConfig version="1.1"><emailProvider id="example.com">${inside}</emailProvider></clientConfig>`
const written = (tag: string, type: string, values: Record<string, string>): string =>
  `<${tag} type="${type}">${Object.entries(values)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</${tag}>`
const smtp = { hostname: 'smtp.example.com', port: '465', socketType: 'SSL', username: '%EMAILADDRESS%' }
const imap = { hostname: 'imap.example.com', port: '143', socketType: 'STARTTLS', username: '%EMAILLOCALPART%' }

describe("a domain's own configuration", () => {
  test('gives the servers for mail programs and fills in the login', () => {
    const pair = readAutoconfig(
      file(
        written('incomingServer', 'pop3', { ...imap, hostname: 'pop.example.com' }) +
          written('incomingServer', 'imap', imap) +
          written('outgoingServer', 'smtp', smtp),
      ),
    )
    expect(fillIn(pair!.smtp, email)).toEqual({
      host: 'smtp.example.com',
      port: 465,
      security: 'tls',
      username: email,
    })
    expect(fillIn(pair!.imap, email)).toEqual({
      host: 'imap.example.com',
      port: 143,
      security: 'starttls',
      username: 'ada.lovelace',
    })
  })

  test('the first encrypted server is used, and an unencrypted one never', () => {
    const clear = { ...smtp, hostname: 'clear.example.com', socketType: 'plain' }
    const both = written('outgoingServer', 'smtp', clear) + written('outgoingServer', 'smtp', smtp)
    expect(readAutoconfig(file(both))?.smtp?.host).toBe('smtp.example.com')
    expect(readAutoconfig(file(written('outgoingServer', 'smtp', clear)))).toBeNull()
  })

  test('declared entities are not expanded, so none grows or reads a file', () => {
    const bomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>`
    const host = readAutoconfig(bomb + file(written('outgoingServer', 'smtp', { ...smtp, hostname: '&b;&c;' })))?.smtp
      ?.host
    expect(host).toBe('&b;&c;')
    expect(fillIn(server(host!, 465, 'tls'), email)).toBeNull()
  })

  test.each([
    ['a page', '<!doctype html><html><body>Welcome</body></html>'],
    ['nothing', ''],
    ['a tree too deep', file('<a>'.repeat(100_000) + written('outgoingServer', 'smtp', smtp))],
    ['another root', `<other>${written('outgoingServer', 'smtp', smtp)}</other>`],
  ])('%s is no configuration', (_name, text) => expect(readAutoconfig(text)).toBeNull())

  test('every value found can be posted as it is, whatever the file contains', () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom('smtp.example.com', 'a\r\nb.example.com', '%EMAILDOMAIN%', '127.0.0.1', 'x\u0000y', '..', '-a.b'),
    )
    const values = fc.record({
      hostname: nasty,
      port: nasty,
      socketType: fc.constantFrom('SSL', 'STARTTLS', 'x'),
      username: nasty,
    })
    const port = fc.oneof(fc.constantFrom('465', '0', '65536', '99999'), nasty)
    fc.assert(
      fc.property(values, port, nasty, (one, at, noise) => {
        const text = file(noise + written('outgoingServer', 'smtp', { ...one, port: at }))
        const found = fillIn(readAutoconfig(text)?.smtp ?? null, email)
        if (found === null) return
        const taken = createSendingAccountInput.safeParse({ email, smtp: { ...found, password: 'x' } })
        expect(taken.error?.issues ?? []).toEqual([])
        expect(found.host + found.username).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      }),
      { numRuns: 500 },
    )
  })
})

describe('known providers', () => {
  test('at least thirty are known, with valid servers and without duplicates', () => {
    expect(knownProviders.length).toBeGreaterThanOrEqual(30)
    for (const { name, servers, domains, exchanges } of knownProviders) {
      if (servers !== null) {
        expect(fillIn(servers.smtp, email), name).not.toBeNull()
        expect(fillIn(servers.imap, email), name).not.toBeNull()
      }
      expect([...domains, ...exchanges].join(' '), name).toMatch(/^[a-z0-9. -]+$/)
      for (const exchange of exchanges) expect(providerOfExchanges([`mx1.${exchange}.`])?.name).toBe(name)
    }
    const domains = knownProviders.flatMap((provider) => provider.domains)
    expect(new Set(domains).size).toBe(domains.length)
  })

  test("a domain that only resembles a provider's is unknown", () => {
    expect(providerOfExchanges(['notgoogle.com', 'google.com.evil.test'])).toBeNull()
    expect(providerOfExchanges(['ASPMX.L.GOOGLE.COM.'])?.name).toBe('Google')
  })
})

test('the SRV record with the lowest priority wins, then the highest weight; a dot means none', () => {
  const record = (name: string, priority: number, weight: number) => ({ name, port: 465, priority, weight })
  expect(bestService([record('b', 10, 9), record('c', 5, 1), record('a', 5, 7)])?.name).toBe('a')
  expect(bestService([record('.', 0, 0)])).toBeNull()
  expect(bestService([record('', 0, 0), record('a', 1, 0)])).toBeNull()
  expect(bestService([])).toBeNull()
})
