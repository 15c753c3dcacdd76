import { domainToASCII } from 'node:url'
import type { Discovery, DiscoverySource } from '@overture/contract/sending-accounts/sending-accounts.ts'
import { KeyedSemaphore } from '@overture/ground/keyed-semaphore.ts'
import type { App } from '../../platform/app.ts'
import { monotonicMs } from '../../platform/clock.ts'
import { createDns } from '../../platform/mail/dns.client.ts'
import { accountReach, type Reach } from '../../platform/mail/network-guard.client.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { autoconfigBytesMax, autoconfigUrls, readAutoconfig } from './autoconfig.ts'
import { bestService, services, strangers, usualPlaces, usualServers, type Places } from './candidates.ts'
import { getDocument } from './document.client.ts'
import { imapGreets, smtpGreets } from './knock.client.ts'
import { providerOfDomain, providerOfExchanges, type KnownProvider } from './known-providers.ts'
import { fillIn, server, type ServerPair, type ServerTemplate } from './server-pair.ts'

/** The limit for the whole search, however slow name servers and foreign machines are. Half a second remains for the response. */
const discoveryMsMax = 5_500
/** The limit for DNS records and the domain's configuration, so that enough time is left to try ports. */
const askingMsMax = 3_000

const noLookupInTest = 'The test environment looks up no servers. Enter any server. No connection is made.'
const tooMany = 'Too many lookups are running. Try again, or enter the servers yourself.'
const noReading = 'No server to read mail from was found. Without one, replies are not read.'
const passwordOnly = 'This provider is connected with a password.'
const elsewhere = (hosts: readonly string[]): string =>
  `These servers are at another domain than the address (${hosts.join(', ')}). Check that you trust them.`

interface Hit {
  source: DiscoverySource
  servers: ServerPair
  provider: KnownProvider | null
}

interface Search {
  app: App
  reach: Reach
  email: string
  domain: string
  places: Places
  dns: ReturnType<typeof createDns>
}

/** Parallel searches of one account. Further ones wait, and above `waitingMax` they are refused. */
const searchesMax = 8
const waitingMax = 200
const searches = new KeyedSemaphore({ permits: () => searchesMax })

/** Finds the servers of an address. The source is `none` if nothing was found in time. The test environment sends no requests. */
export async function discoverServers(
  app: App,
  tenant: Tenant,
  email: string,
  places: Places = usualPlaces,
): Promise<Discovery> {
  const domain = domainToASCII(email.slice(email.lastIndexOf('@') + 1)).toLowerCase()
  const known = providerOfDomain(domain)
  if (known !== null) return toDiscovery(app, tenant, email, foundAt('known', known))
  if (tenant.environment === 'test' || domain === '') return nothing(email, noLookupInTest)
  const endMs = monotonicMs() + discoveryMsMax
  const signal = AbortSignal.timeout(askingMsMax)
  const release = await searches.tryAcquire(tenant.accountId, { signal, waitingMax })
  if (release === null) return nothing(email, tooMany)
  const dns = createDns(app.config.network.dnsServers)
  const search = { app, reach: accountReach(app, tenant.accountId), email, domain, places, dns }
  try {
    const found = await findFirst(search, endMs)
    return found === null ? nothing(email, null) : toDiscovery(app, tenant, email, found)
  } finally {
    dns.cancel()
    release()
  }
}

/** Queries all sources at once. Uses the first result in this order: mail exchanges, records, configuration, usual servers. */
async function findFirst(search: Search, endMs: number): Promise<Hit | null> {
  const askedUntilMs = Math.min(monotonicMs() + askingMsMax, endMs)
  const exchanges = inTime(listExchanges(search), askedUntilMs, [])
  const records = inTime(askServices(search), askedUntilMs, null)
  const configuration = inTime(askConfiguration(search, askedUntilMs), askedUntilMs, null)
  // A rejection of a source that is no longer awaited must not end the process.
  void Promise.allSettled([exchanges, records, configuration])
  const provider = providerOfExchanges(await exchanges)
  if (provider !== null) return foundAt('mx', provider)
  const published = (await records) ?? (await configuration)
  if (published !== null) return published
  return inTime(knock(search, (await exchanges)[0] ?? null, endMs), endMs, null)
}

async function listExchanges({ dns, domain }: Search): Promise<string[]> {
  const answer = await dns.mx(domain)
  return answer.kind === 'found' ? answer.values.filter((name) => name !== '') : []
}

async function askServices(search: Search): Promise<Hit | null> {
  const [smtp, imap] = await Promise.all([askService(search, 'smtp'), askService(search, 'imap')])
  return usable(search, 'srv', { smtp, imap })
}

async function askService({ dns, domain }: Search, side: 'smtp' | 'imap'): Promise<ServerTemplate | null> {
  const answers = await Promise.all(
    services[side].map(async ({ label, security }) => {
      const answer = await dns.srv(`${label}.${domain}`)
      const best = answer.kind === 'found' ? bestService(answer.values) : null
      return best === null ? [] : [server(best.name, best.port, security)]
    }),
  )
  return answers.flat()[0] ?? null
}

async function askConfiguration(search: Search, endMs: number): Promise<Hit | null> {
  const { reach, email, domain, places } = search
  const documents = await Promise.all(
    autoconfigUrls(email, domain, places.https).map((url) =>
      getDocument(url, { reach, endMs, bytesMax: autoconfigBytesMax }),
    ),
  )
  for (const text of documents) {
    const pair = text === null ? null : readAutoconfig(text)
    const found = pair === null ? null : usable(search, 'autoconfig', pair)
    if (found !== null) return found
  }
  return null
}

async function knock(search: Search, exchange: string | null, endMs: number): Promise<Hit | null> {
  const { reach, domain, places } = search
  const candidates = usualServers(domain, exchange, places)
  const [smtp, imap] = await Promise.all([
    firstThat(candidates.smtp, (one) => smtpGreets(one, { reach, endMs })),
    firstThat(candidates.imap, (one) => imapGreets(one, { reach, endMs })),
  ])
  return usable(search, 'probe', { smtp, imap })
}

/** Tries all candidates at once. A success counts only after the candidates before it have failed. */
async function firstThat(
  candidates: readonly ServerTemplate[],
  greets: (candidate: ServerTemplate) => Promise<boolean>,
): Promise<ServerTemplate | null> {
  const greetings = candidates.map((candidate) => greets(candidate))
  void Promise.allSettled(greetings)
  for (const [index, candidate] of candidates.entries()) if (await greetings[index]) return candidate
  return null
}

/** Returns null if no server for sending was found. */
function usable({ email }: Search, source: DiscoverySource, servers: ServerPair): Hit | null {
  return fillIn(servers.smtp, email) === null ? null : { source, servers, provider: null }
}

function foundAt(source: DiscoverySource, provider: KnownProvider): Hit {
  return { source, servers: provider.servers ?? { smtp: null, imap: null }, provider }
}

async function inTime<Value>(value: Promise<Value>, endMs: number, otherwise: Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Value>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), Math.max(endMs - monotonicMs(), 1))
  })
  return Promise.race([value, late]).finally(() => clearTimeout(timer))
}

function toDiscovery(app: App, tenant: Tenant, email: string, { source, servers, provider }: Hit): Discovery {
  const oauth = provider?.oauth ?? null
  const pair = oauth === null ? servers : configured(app, oauth)
  const smtp = fillIn(pair.smtp, email)
  const imap = fillIn(pair.imap, email)
  const available = oauth !== null && (tenant.environment === 'test' || app.config.oauth[oauth].clientId !== null)
  const foreign = provider === null ? strangers({ smtp, imap }, email.slice(email.lastIndexOf('@') + 1)) : []
  const hints = [
    ...(available || provider?.hint === undefined ? [] : [provider.hint]),
    ...(foreign.length > 0 ? [elsewhere(foreign)] : []),
    ...(smtp !== null && imap === null ? [noReading] : []),
  ]
  return {
    email,
    provider: oauth ?? 'smtp',
    source,
    smtp,
    imap,
    oauth: { available, reason: available ? null : oauth === null ? passwordOnly : notConfigured(oauth) },
    hint: hints.length === 0 ? null : hints.join(' '),
  }
}

// The servers that an account of that provider gets.
function configured(app: App, oauth: 'google' | 'microsoft'): ServerPair {
  const { smtp, imap } = app.config.oauth[oauth]
  return { smtp: server(smtp.host, smtp.port, smtp.security), imap: server(imap.host, imap.port, imap.security) }
}

function notConfigured(oauth: 'google' | 'microsoft'): string {
  return `Connecting ${oauth} mailboxes is not configured on this server.`
}

function nothing(email: string, hint: string | null): Discovery {
  return {
    email,
    provider: 'smtp',
    source: 'none',
    smtp: null,
    imap: null,
    oauth: { available: false, reason: passwordOnly },
    hint,
  }
}
