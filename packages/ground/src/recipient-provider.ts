import type { Environment } from '@overture/contract/endpoint.ts'
import type { RecipientProvider } from '@overture/contract/deliverability/recipient-provider.ts'
import { providerOfServers } from '@overture/contract/vocabularies.ts'

/** The domains under which providers run the servers that accept mail. */
const exchangeDomains: Readonly<Record<Exclude<RecipientProvider, 'other' | 'unknown'>, readonly string[]>> = {
  google: ['google.com', 'googlemail.com'],
  microsoft: ['protection.outlook.com', 'mx.microsoft', 'outlook.com', 'hotmail.com'],
  yahoo: ['yahoodns.net', 'yahoo.com'],
  apple: ['mail.icloud.com', 'icloud.com'],
  gateway: [
    'pphosted.com',
    'ppe-hosted.com',
    'mimecast.com',
    'mimecast.co.za',
    'mimecast-offshore.com',
    'messagelabs.com',
    'barracudanetworks.com',
    'iphmx.com',
    'trendmicro.com',
    'trendmicro.eu',
    'sophos.com',
    'fireeyecloud.com',
    'hornetsecurity.com',
    'antispameurope.com',
    'mailcontrol.com',
    'retarus.com',
    'cf-emailsecurity.net',
    'antispamcloud.com',
    'mailspamprotection.com',
    'vadesecure.com',
  ],
}

/** Domains whose provider is known without a query. */
export const consumerDomains: Readonly<Record<string, RecipientProvider>> = {
  'gmail.com': 'google',
  'googlemail.com': 'google',
  'outlook.com': 'microsoft',
  'outlook.de': 'microsoft',
  'hotmail.com': 'microsoft',
  'hotmail.co.uk': 'microsoft',
  'hotmail.fr': 'microsoft',
  'live.com': 'microsoft',
  'live.co.uk': 'microsoft',
  'msn.com': 'microsoft',
  'yahoo.com': 'yahoo',
  'yahoo.co.uk': 'yahoo',
  'yahoo.fr': 'yahoo',
  'yahoo.de': 'yahoo',
  'ymail.com': 'yahoo',
  'aol.com': 'yahoo',
  'icloud.com': 'apple',
  'me.com': 'apple',
  'mac.com': 'apple',
}

export function providerOfConsumerDomain(domain: string): RecipientProvider | null {
  return consumerDomains[domain] ?? null
}

/**
 * The provider that accepts the mail of a domain, by its exchanges with the best first. Only the best one counts, because the others
 * get mail only if it is down.
 */
export function providerOfExchanges(exchanges: readonly string[]): RecipientProvider {
  const [best = ''] = exchanges
  const host = best.toLowerCase().replace(/\.$/, '')
  if (host === '') return 'unknown'
  const found = Object.entries(exchangeDomains).find(([, domains]) =>
    domains.some((domain) => host === domain || host.endsWith(`.${domain}`)),
  )
  return (found?.[0] as RecipientProvider | undefined) ?? 'other'
}

const simulatedNames: readonly RecipientProvider[] = ['google', 'microsoft', 'yahoo', 'apple', 'gateway', 'unknown']

/** The provider in the test environment, which asks no name server: the first label of a domain names it. */
export function simulatedProvider(domain: string): RecipientProvider {
  const [first] = domain.split('.')
  return providerOfConsumerDomain(domain) ?? simulatedNames.find((name) => name === first) ?? 'other'
}

/** The provider of a domain if it needs no query, as in the test environment. */
export function knownProvider(environment: Environment, domain: string): RecipientProvider | null {
  return environment === 'test' ? simulatedProvider(domain) : providerOfConsumerDomain(domain)
}

/** The provider of a sending account. A simulated one is named by the first label of its domain. */
export function providerOfSender(sender: {
  provider: string
  smtpHost: string | null
  email: string
}): RecipientProvider {
  const { provider, smtpHost, email } = sender
  if (provider === 'sandbox') return simulatedProvider(email.slice(email.lastIndexOf('@') + 1).toLowerCase())
  const known = providerOfServers({ provider, smtp: smtpHost === null ? null : { host: smtpHost.toLowerCase() } })
  return known ?? (smtpHost === null ? 'other' : providerOfSubmission(smtpHost.toLowerCase()))
}

function providerOfSubmission(host: string): RecipientProvider {
  if (host.endsWith('.mail.yahoo.com')) return 'yahoo'
  return host.endsWith('.mail.me.com') ? 'apple' : 'other'
}
