import type { Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Discovery } from '@overture/contract/sending-accounts/sending-accounts.ts'
import { startDnsDouble, type DnsDouble } from '@overture/testing/mail/dns-double.server.ts'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { forwardTo, startTlsFront, type TlsFront } from '@overture/testing/mail/tls-front.server.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { sendingAccountsRoutes } from '../index.ts'
import type { Places } from './candidates.ts'
import { discoverServers } from './discover.client.ts'

const path = '/v2/sending-accounts/discover'
const users = { 'ada@example.com': 'secret' }
const here = ['127.0.0.1']

let server: TestServer
let strict: TestServer
let dns: DnsDouble
let smtp: SmtpDouble
let imap: ImapDouble
let imapFront: TlsFront
let pages: TlsFront
let places: Places
/** The response of the web server, by the request line. The default is 404. */
let serve: (head: string, socket: Socket) => void = refuse
const heads: string[] = []

beforeAll(async () => {
  dns = await startDnsDouble({})
  smtp = await startSmtpDouble({ security: 'tls', users })
  imap = await startImapDouble({ users })
  imapFront = await startTlsFront(forwardTo(imap.port))
  pages = await startTlsFront((socket) => {
    let head = ''
    socket.on('data', (chunk: Buffer) => {
      if (head.includes('\r\n\r\n')) return
      head += chunk.toString('latin1')
      if (!head.includes('\r\n\r\n')) return
      heads.push(head)
      serve(head, socket)
    })
  })
  places = {
    https: pages.port,
    smtp: [{ port: smtp.port, security: 'tls' }],
    imap: [{ port: imapFront.port, security: 'tls' }],
  }
  const environment = { OVERTURE_DNS_SERVERS: dns.server }
  const routes = (): ReturnType<typeof sendingAccountsRoutes> => sendingAccountsRoutes()
  server = await startTestServer({ routes, environment: { ...environment, OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } })
  strict = await startTestServer({ routes, environment })
})
afterAll(async () => {
  await Promise.all([server, strict, dns, smtp, imap, imapFront, pages].map((one) => one?.stop()))
})
beforeEach(() => {
  dns.records = {}
  dns.dead = () => false
  dns.asked.length = 0
  heads.length = 0
  serve = refuse
})

function refuse(_head: string, socket: Socket): void {
  socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')
}

function give(text: string): (head: string, socket: Socket) => void {
  return (_head, socket) =>
    void socket.end(
      `HTTP/1.1 200 OK\r\ncontent-type: text/xml\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    )
}

let domains = 0
/** Each test has its own domain, because names are cached. */
const newDomain = (): string => `company${++domains}.test`

/** Discovers with the ports of the doubles in place of the usual ones. */
const discover = (domain: string, on = server): Promise<Discovery> =>
  discoverServers(on.app, on.tenant, `ada@${domain}`, places)

async function ask(email: string, key = server.keys.live) {
  const answer = await server.call('POST', path, { key, body: { email } })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as Discovery
}

const written = (tag: string, host: string, port: number, security: string): string =>
  `<${tag} type="${tag === 'incomingServer' ? 'imap' : 'smtp'}"><hostname>${host}</hostname><port>${port}</port>` +
  `<socketType>${security}</socketType><username>%EMAILADDRESS%</username></${tag}>`
const configuration = (smtpHost: string): string =>
  '<clientConfig version="1.1"><emailProvider id="x">' +
  written('incomingServer', 'imap.example.com', 993, 'SSL') +
  written('outgoingServer', smtpHost, 587, 'STARTTLS') +
  '</emailProvider></clientConfig>'

describe('mail servers are found', () => {
  test('by the address of a known provider, without any request', async () => {
    const found = await ask('ada@gmail.com')
    expect(found).toEqual({
      email: 'ada@gmail.com',
      provider: 'google',
      source: 'known',
      smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls', username: 'ada@gmail.com' },
      imap: { host: 'imap.gmail.com', port: 993, security: 'tls', username: 'ada@gmail.com' },
      oauth: { available: false, reason: 'Connecting google mailboxes is not configured on this server.' },
      hint: expect.stringContaining('app password'),
    })
    expect(dns.asked).toEqual([])
  })

  test("by the domain's MX records", async () => {
    const domain = newDomain()
    dns.records = { MX: { [domain]: ['10 company1-test.mail.protection.outlook.com'] } }
    expect(await ask(`ada@${domain}`)).toMatchObject({
      provider: 'microsoft',
      source: 'mx',
      smtp: { host: 'smtp.office365.com', port: 587, security: 'starttls', username: `ada@${domain}` },
      oauth: { available: false },
    })
  })

  test("by the domain's SRV records, with TLS preferred over STARTTLS", async () => {
    const domain = newDomain()
    dns.records = {
      SRV: {
        [`_submission._tcp.${domain}`]: [`0 1 587 other.${domain}`],
        [`_submissions._tcp.${domain}`]: [`20 1 465 far.${domain}`, `10 1 1465 Mail.${domain}`],
        [`_imaps._tcp.${domain}`]: ['0 0 0 .'],
        [`_imap._tcp.${domain}`]: [`0 1 143 mail.${domain}`],
      },
    }
    expect(await ask(`ada@${domain}`)).toMatchObject({
      provider: 'smtp',
      source: 'srv',
      smtp: { host: `mail.${domain}`, port: 1465, security: 'tls', username: `ada@${domain}` },
      imap: { host: `mail.${domain}`, port: 143, security: 'starttls' },
      oauth: { available: false, reason: expect.stringContaining('password') },
      hint: null,
    })
  })

  test("by the domain's own configuration, with a hint if its servers are in another domain", async () => {
    const domain = newDomain()
    dns.records = { A: { [`autoconfig.${domain}`]: here } }
    serve = give(configuration('smtp.example.com'))
    const found = await discover(domain)
    expect(found).toMatchObject({ source: 'autoconfig', smtp: { host: 'smtp.example.com', port: 587 } })
    expect(found.hint).toContain('smtp.example.com')
    expect(heads[0]).toMatch(/^GET \/mail\/config-v1.1.xml\?emailaddress=ada%40company/)
  })

  test('through at most two redirects, over https only', async () => {
    const domain = newDomain()
    dns.records = { A: { [`autoconfig.${domain}`]: here, [`www.${domain}`]: here } }
    const redirectTo = (to: string) => (head: string, socket: Socket) =>
      head.includes(`host: www.${domain}`) || head.includes(`Host: www.${domain}`)
        ? give(configuration(`mail.${domain}`))(head, socket)
        : void socket.end(`HTTP/1.1 302 Found\r\nlocation: ${to}\r\ncontent-length: 0\r\n\r\n`)
    serve = redirectTo(`https://www.${domain}:${pages.port}/mail.xml`)
    expect(await discover(domain)).toMatchObject({ source: 'autoconfig', smtp: { host: `mail.${domain}` } })
    for (const to of [
      `http://www.${domain}:${pages.port}/`,
      `https://autoconfig.${domain}:${pages.port}/`,
      'ftp://x',
      '::',
    ]) {
      serve = redirectTo(to)
      expect(await discover(domain), to).toMatchObject({ source: 'none' })
    }
  })

  test('by connecting to the usual names, with a valid certificate', async () => {
    const domain = newDomain()
    dns.records = { MX: { [domain]: [`10 mail.${domain}`] }, A: { [`mail.${domain}`]: here } }
    expect(await discover(domain)).toMatchObject({
      source: 'probe',
      smtp: { host: `mail.${domain}`, port: smtp.port, security: 'tls' },
      imap: { host: `mail.${domain}`, port: imapFront.port, security: 'tls' },
    })
    expect(imap.commands.filter((line) => !/^(CAPABILITY|LOGOUT|NOOP)/i.test(line))).toEqual([])
  })

  test('nowhere for an unknown domain, and a body without an address is refused', async () => {
    expect(await ask(`ada@${newDomain()}`)).toMatchObject({ source: 'none', smtp: null, imap: null, provider: 'smtp' })
    const refused = await server.call('POST', path, { key: server.keys.live, body: { email: 'no-address' } })
    expect(refused.status).toBe(400)
    expect(refused.body.error.details.issues).toMatchObject([{ path: 'email' }])
    expect((await server.call('POST', path, { key: server.keys.liveRead, body: { email: 'a@b.test' } })).status).toBe(
      403,
    )
  })
})

test('without requests in the test environment, which can use simulated providers', async () => {
  const domain = newDomain()
  dns.records = { MX: { [domain]: ['10 aspmx.l.google.com'] } }
  expect(await ask(`ada@${domain}`, server.keys.test)).toMatchObject({ source: 'none', smtp: null })
  expect(await ask('ada@outlook.com', server.keys.test)).toMatchObject({ source: 'known', oauth: { available: true } })
  expect(dns.asked).toEqual([])
})

describe('a server that', () => {
  const trap = (): string => {
    const domain = newDomain()
    dns.records = { A: Object.fromEntries([domain, `autoconfig.${domain}`].map((name) => [name, here])) }
    return domain
  }
  const slowly = (piece: string, head: string) => (_head: string, socket: Socket) => {
    socket.write(head)
    const timer = setInterval(() => socket.write(piece), 20)
    socket.on('close', () => clearInterval(timer))
  }
  const doorsShut: Places = { https: 0, smtp: [], imap: [] }

  test.each<[string, (head: string, socket: Socket) => void]>([
    ['says nothing', () => {}],
    ['drips its head', slowly('x-a: b\r\n', 'HTTP/1.1 200 OK\r\n')],
    ['drips its body', slowly('<a/>', 'HTTP/1.1 200 OK\r\n\r\n')],
    ['says something else', (_head, socket) => void socket.end('220 smtp ready\r\n')],
    ['hangs up', (_head, socket) => void socket.destroy()],
    ['sends what is no configuration', give('<html>')],
    ['names servers that can be none', give(configuration('a b\u0000c'))],
  ])('%s takes no longer than the time limit', async (_name, behaviour) => {
    const domain = trap()
    serve = behaviour
    const found = await discoverServers(server.app, server.tenant, `ada@${domain}`, { ...doorsShut, https: pages.port })
    expect(found).toMatchObject({ source: 'none', smtp: null, imap: null })
  })

  test('never ends is read up to the size limit', async () => {
    const domain = trap()
    let sent = 0
    const piece = `<!-- ${'x'.repeat(16_000)} -->`
    serve = (_head, socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n<clientConfig>')
      const more = (): void => {
        while (!socket.destroyed && socket.writable) {
          sent += piece.length
          if (!socket.write(piece)) return void socket.once('drain', more)
        }
      }
      more()
    }
    const found = await discoverServers(server.app, server.tenant, `ada@${domain}`, { ...doorsShut, https: pages.port })
    expect(found.source).toBe('none')
    expect(sent).toBeLessThan(64 * 1024 * 1024)
  })

  test('has a silent name server is not found', async () => {
    const domain = newDomain()
    dns.dead = (name) => name.endsWith(domain)
    expect(await discover(domain)).toMatchObject({ source: 'none' })
  })

  test('has a private address is not contacted, not even by redirect, unless allowed', async () => {
    const domain = trap()
    dns.records.MX = { [domain]: [`10 ${domain}`] }
    serve = give(configuration('smtp.example.com'))
    const before = [pages, imapFront, smtp].map((one) => one.connectionCount)
    expect(await discover(domain, strict)).toMatchObject({ source: 'none' })
    expect([pages, imapFront, smtp].map((one) => one.connectionCount)).toEqual(before)
  })
})
