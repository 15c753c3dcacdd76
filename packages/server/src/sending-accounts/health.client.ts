import type { HealthCheck, HealthReport } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { App } from '../platform/app.ts'
import { createDns } from '../platform/mail/dns.client.ts'
import type { Tenant } from '../platform/tenant.ts'
import {
  dmarcNames,
  findDkimSelectors,
  judgeHealth,
  usualSelectors,
  type Checks,
  type HealthInput,
} from './domain-health.ts'
import { senderWarnings } from './sender-warnings.ts'
import type { Sender } from './sending-account.ts'
import { listQuotingMail } from './sending-accounts.sql.ts'

const quotingMailMax = 10

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
    Promise.all(dmarcNames(domain).map(async (name) => ({ name, answer: await dns.txt(name) }))),
    sender.trackingDomain === null ? null : dns.cname(sender.trackingDomain),
  ])
  return {
    domain,
    provider: sender.provider,
    smtpHost: sender.smtp?.host ?? null,
    spf,
    dkim,
    dmarc,
    mx,
    tracking:
      tracking === null || sender.trackingDomain === null
        ? null
        : { name: sender.trackingDomain, answer: tracking, target: new URL(app.config.publicUrl).hostname },
  }
}
