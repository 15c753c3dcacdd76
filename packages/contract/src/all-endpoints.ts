import { accountEndpoints } from './account.ts'
import { aiEndpoints } from './ai.ts'
import { approvalEndpoints } from './approvals.ts'
import { analyticsEndpoints } from './analytics.ts'
import { apiKeysEndpoints } from './api-keys.ts'
import { billingEndpoints } from './billing.ts'
import { campaignEndpoints } from './campaign-endpoints.ts'
import { conversationEndpoints } from './conversations.ts'
import { deliveryEndpoints } from './delivery.ts'
import type { Endpoint } from './endpoint.ts'
import { eventEndpoints } from './events-endpoints.ts'
import { leadFinderEndpoints } from './lead-finder.ts'
import { leadEndpoints } from './leads.ts'
import { meetingEndpoints } from './meetings.ts'
import { peopleEndpoints } from './people.ts'
import { sandboxEndpoints } from './sandbox.ts'
import { sendingAccountEndpoints } from './sending-account-endpoints.ts'
import { suppressionEndpoints } from './suppressions.ts'
import { templateEndpoints } from './templates.ts'
import { webhookEndpoints } from './webhooks.ts'

const areas = [
  accountEndpoints,
  apiKeysEndpoints,
  campaignEndpoints,
  leadEndpoints,
  deliveryEndpoints,
  conversationEndpoints,
  analyticsEndpoints,
  eventEndpoints,
  sendingAccountEndpoints,
  suppressionEndpoints,
  peopleEndpoints,
  meetingEndpoints,
  templateEndpoints,
  webhookEndpoints,
  sandboxEndpoints,
  aiEndpoints,
  approvalEndpoints,
  leadFinderEndpoints,
  billingEndpoints,
]

/** Every operation of the API, in the order of the document. */
export const allEndpoints: readonly Endpoint[] = areas.flatMap((area) => Object.values(area) as unknown as Endpoint[])
