import { isIP } from 'node:net'
import type { HealthCheck, HealthReport } from '@overture/contract/sending-accounts/domain-health.ts'
import type { App } from '../platform/app.ts'
import { withinTime } from '../platform/clock.ts'
import { createDns } from '../platform/mail/dns.client.ts'
import { isPrivateAddress } from '../platform/mail/public-address.ts'
import type { Tenant } from '../platform/tenant.ts'
import { findDkimSelectors, judgeHealth, usualSelectors, type Checks, type HealthInput } from './domain-health.ts'
import { dmarcDomains } from './domains/dmarc.ts'
import type { Answer } from './domains/dns-answer.ts'
import { spfRecords } from './domains/judge-spf.ts'
import type { SpfWalk } from './domains/spf.ts'
import { walkSpf, type SpfNames } from './domains/spf-walk.client.ts'
import { senderWarnings } from './sender-warnings.ts'
import type { Sender } from './sending-account.ts'
import { listQuotingMail } from './sending-accounts.sql.ts'

const quotingMailMax = 10
/** The longest time for following the includes of one SPF record. */
const walkMsMax = 15_000

/** Checks a sender's domain in DNS. Simulated in the test environment, which has no domains. */
export async function checkHealth(app: App, tenant: Tenant, sender: Sender): Promise<HealthReport> {
  const domain = sender.email.slice(sender.email.lastIndexOf('@') + 1).toLowerCase()
  const checkedAt = app.clock.now().toISOString()
  const checks =
    tenant.environment === 'test' ? notLookedUp(sender) : judgeHealth(await lookUp(app, tenant, { sender, domain }))
  const { secretExpiresOn } = app.config.oauth.microsoft
  const warnings = senderWarnings(sender, { now: app.clock.now(), secretExpiresOn })
  return { sendingAccountId: sender.id, domain, ...checks, warnings, checkedAt }
}

function notLookedUp(sender: Sender): Checks {
  const check: HealthCheck = {
    status: 'unknown',
    records: [],
    message: 'Not checked in the test environment.',
    put: null,
  }
  return { spf: check, dkim: check, dmarc: check, mx: check, tracking: sender.trackingDomain === null ? null : check }
}

/** Reads the DNS records of a sender's domain, with the DKIM selectors that its mail was signed with. */
async function lookUp(
  app: App,
  tenant: Tenant,
  { sender, domain }: { sender: Sender; domain: string },
): Promise<HealthInput> {
  const dns = createDns(app.config.network.dnsServers)
  const raws = await listQuotingMail(app.db, tenant, sender.id, quotingMailMax)
  const selectors = [
    ...new Set([...raws.flatMap((raw) => findDkimSelectors(raw.toString('latin1'), domain)), ...usualSelectors]),
  ]
  const [spf, mx, dkim, dmarc, tracking] = await Promise.all([
    dns.txt(domain),
    dns.mx(domain),
    Promise.all(
      selectors.map(async (selector) => ({ selector, answer: await dns.txt(`${selector}._domainkey.${domain}`) })),
    ),
    Promise.all(dmarcDomains(domain).map(async (name) => ({ name, answer: await dns.txt(`_dmarc.${name}`) }))),
    sender.trackingDomain === null ? null : dns.cname(sender.trackingDomain),
  ])
  return {
    domain,
    provider: sender.provider,
    smtpHost: sender.smtp?.host ?? null,
    spf,
    spfWalk: await followSpf(app, sender, { domain, spf }),
    dkim,
    dmarc,
    mx,
    tracking:
      tracking === null || sender.trackingDomain === null
        ? null
        : { name: sender.trackingDomain, answer: tracking, target: new URL(app.config.publicUrl).hostname },
  }
}

/**
 * Follows the SPF record of a domain, with the addresses of the server to which the account logs in with a password. The
 * addresses of a server in a private network are left out, because other addresses send its mail.
 */
async function followSpf(
  app: App,
  sender: Sender,
  { domain, spf }: { domain: string; spf: Answer },
): Promise<SpfWalk | null> {
  const records = spfRecords(spf)
  const [record] = records
  if (record === undefined || records.length > 1) return null
  return withinTime(walkMsMax, undefined, async (signal) => {
    const dns = createDns(app.config.network.dnsServers)
    signal.addEventListener('abort', () => dns.cancel(), { once: true })
    const inTime = async (query: () => Promise<Answer>): Promise<Answer> =>
      signal.aborted ? { kind: 'unknown', message: 'it took too long' } : query()
    const names: SpfNames = {
      txt: (name) => inTime(() => dns.txt(name)),
      mx: (name) => inTime(() => dns.mx(name)),
      addresses: (name) => inTime(() => dns.addresses(name)),
    }
    const host = sender.provider === 'smtp' ? (sender.smtp?.host ?? null) : null
    return walkSpf(names, { domain, record, addresses: await hostAddresses(names, host) })
  })
}

async function hostAddresses(names: SpfNames, host: string | null): Promise<readonly string[]> {
  if (host === null) return []
  const literal = host.replace(/^\[|\]$/g, '')
  const answer: Answer = isIP(literal) === 0 ? await names.addresses(host) : { kind: 'found', values: [literal] }
  return answer.kind === 'found' ? answer.values.filter((address) => !isPrivateAddress(address)) : []
}
