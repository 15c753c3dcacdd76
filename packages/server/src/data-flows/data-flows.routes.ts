import { dataFlowEndpoints } from '@overture/contract/accounts/data-flows.ts'
import { dayMs } from '@overture/ground/time/spans.ts'
import { modelUrls } from '../ai/index.ts'
import { paymentsUrl } from '../billing/index.ts'
import { peopleDataUrl } from '../lead-finder/index.ts'
import type { App } from '../platform/app.ts'
import { query, type Route } from '../platform/http/route.ts'
import type { Tenant } from '../platform/tenant.ts'
import { verificationUrl } from '../verification/index.ts'
import { listDataFlows, type AccountReceivers } from './data-flows.ts'
import { findServiceCalls, listMailHosts, listWebhookHosts } from './data-flows.sql.ts'

const countedDays = 30

export function dataFlowRoutes(): Route[] {
  return [
    query(dataFlowEndpoints.getDataFlows, async ({ app, tenant, now }) => {
      // The test environment opens no connection.
      if (tenant.environment === 'test') return { receivers: [] }
      const { config } = app
      const urls = {
        models: modelUrls(config.ai),
        payments: paymentsUrl(config),
        peopleData: peopleDataUrl(config.finder),
        verification: config.verification === null ? null : verificationUrl(config.verification),
      }
      return { receivers: listDataFlows(config, await readReceivers(app, tenant, now), urls) }
    }),
  ]
}

async function readReceivers({ db, config }: App, tenant: Tenant, now: Date): Promise<AccountReceivers> {
  const since = new Date(now.getTime() - countedDays * dayMs)
  const { google, microsoft } = config.oauth
  const providerHosts = { google: google.smtp.host, microsoft: microsoft.smtp.host }
  const [mailServers, webhooks, services] = await Promise.all([
    listMailHosts(db, tenant, { since, providerHosts }),
    listWebhookHosts(db, tenant, since),
    findServiceCalls(db, tenant, since),
  ])
  return { mailServers, webhooks, ...services }
}
