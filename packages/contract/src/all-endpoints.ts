import { accountEndpoints } from './account.ts'
import { aiEndpoints } from './ai.ts'
import { analyticsEndpoints } from './analytics.ts'
import { apiKeysEndpoints } from './api-keys.ts'
import { billingEndpoints } from './billing.ts'
import { campaignEndpoints } from './campaign-endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { eventEndpoints } from './events-endpoints.ts'
import { leadFinderEndpoints } from './lead-finder.ts'
import { leadEndpoints } from './leads.ts'
import { sendingAccountEndpoints } from './sending-accounts.ts'
import { suppressionEndpoints } from './suppressions.ts'
import { templateEndpoints } from './templates.ts'
import { webhookEndpoints } from './webhooks.ts'

const areas = [
  accountEndpoints,
  apiKeysEndpoints,
  campaignEndpoints,
  leadEndpoints,
  analyticsEndpoints,
  eventEndpoints,
  sendingAccountEndpoints,
  suppressionEndpoints,
  templateEndpoints,
  webhookEndpoints,
  aiEndpoints,
  leadFinderEndpoints,
  billingEndpoints,
]

/** Every operation of the API, in the order of the document. */
export const allEndpoints: readonly Endpoint[] = areas.flatMap((area) => Object.values(area) as unknown as Endpoint[])
