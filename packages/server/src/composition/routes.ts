import { accountsRoutes } from '../accounts/index.ts'
import { sumAiCost, aiRoutes, approvalRoutes, createAiChecks, replyDraftRoutes } from '../ai/index.ts'
import { analyticsRoutes, eventStreamRoutes } from '../analytics/index.ts'
import { apiKeysRoutes, countActiveKeys, keyMayAdminister } from '../api-keys/index.ts'
import { campaignRoutes, type RevealPeople, stopLead, updateLead } from '../campaigns/index.ts'
import { readBalance, creditSummary } from '../credits/index.ts'
import { dataFlowRoutes } from '../data-flows/index.ts'
import { deliverabilityRoutes } from '../deliverability/index.ts'
import { contactPolicyRoutes } from '../contact-policy/index.ts'
import { deliveryRoutes } from '../delivery/index.ts'
import { holidayRoutes } from '../holidays/index.ts'
import { estimateReveal, leadFinderRoutes, revealContext, revealForLeads } from '../lead-finder/index.ts'
import { assistantPages, grantRoutes, readAssistantAccess } from '../assistants/index.ts'
import { auditRoutes } from '../audit/index.ts'
import { billingPublicRoutes, billingRoutes } from '../billing/index.ts'
import { consoleRoutes } from '../console/index.ts'
import { attachmentRoutes, conversationsRoutes, forwardRoutes, noteRoutes, replyRoutes } from '../inbox/index.ts'
import { exportRoutes } from '../exports/index.ts'
import { reportRoutes } from '../reports/index.ts'
import { listRoutes } from '../lists/index.ts'
import { mcpRoutes } from '../mcp/index.ts'
import { bookingPages, meetingHooks, meetingRoutes } from '../meetings/index.ts'
import { peopleRoutes, type PeopleTools } from '../people/index.ts'
import { linksReachRecipients } from '../platform/public-url.ts'
import type { App } from '../platform/app.ts'
import { SecretError } from '../platform/crypto/secrets.shell.ts'
import type { ClientFacts } from '../platform/http/client-facts.ts'
import type { PublicRoute } from '../platform/http/public-route.ts'
import type { Route } from '../platform/http/route.ts'
import { sandboxRoutes } from '../sandbox/index.ts'
import { sendingAccountsPublicRoutes, sendingAccountsRoutes } from '../sending-accounts/index.ts'
import type { Services } from './services.ts'
import { userLeft } from './user-left.commands.ts'
import { placementRoutes } from '../placement/index.ts'
import {
  conversationDrafts,
  draftTools,
  policyChanged,
  replyDraftTools,
  senderChanges,
  suppressionTools,
  taskTools,
} from './slice-wiring.ts'
import { signalRoutes } from '../signals/index.ts'
import { suppressionsRoutes } from '../suppressions/index.ts'
import { createProtection, findSession, singleSignOnRoutes, teamRoutes } from '../team/index.ts'
import { tagRoutes } from '../tags/index.ts'
import { taskRoutes } from '../tasks/index.ts'
import { templateRoutes } from '../templates/index.ts'
import { trackingRoutes } from '../tracking/index.ts'
import { verificationRoutes } from '../verification/index.ts'
import { webhookRoutes } from '../webhooks/index.ts'

/**
 * Operations that read much and never write, so a replica can serve them. A client still sees its own writes
 * (docs/decisions/0013-read-only-an-up-to-date-replica.md).
 */
export const replicaReads: readonly string[] = [
  'listCampaigns',
  'listCampaignLeads',
  'listImports',
  'getImportErrors',
  'listTestMessages',
  'listApprovals',
  'listConversations',
  'getConversationCounts',
  'getCampaignStats',
  'getCampaignAnalytics',
  'getGroupedAnalytics',
  'getAccountSummary',
  'getCampaignActivity',
  'getAccountActivity',
  'listEvents',
  'listSendingAccounts',
  'listSuppressions',
  'listSuppressionLists',
  'exportSuppressions',
  'getSuppressionImportErrors',
  'listSignals',
  'listVerificationResults',
  'listDeliverabilityDomains',
  'listPeople',
  'exportPerson',
  'listMeetings',
  'listTasks',
  'listTags',
  'listLists',
  'listReports',
  'listListMembers',
  'getListImportErrors',
  'listTemplates',
  'listWebhooks',
  'listWebhookDeliveries',
  'listGenerations',
  'listPromptPresets',
  'listLedgerEntries',
  'listAuditLog',
  'exportAuditLog',
]

/** All endpoints of `/v2`. */
export function createRoutes(app: App, services: Services): Route[] {
  const { admission, delivery } = services
  const { renderer } = delivery
  const aiChecks = createAiChecks(app)
  const protection = createProtection(app)
  const drafts = conversationDrafts(app)
  const accountTools = {
    usedRequests: (_db: unknown, accountId: string) => admission.usage(accountId),
    activeApiKeys: countActiveKeys,
    credits: creditSummary,
    linksReachRecipients: linksReachRecipients(app.config),
  }
  return withReplica([
    ...accountsRoutes(accountTools),
    ...dataFlowRoutes(),
    ...accessRoutes({ admission, protection }),
    ...sendingAccountsRoutes({ ...senderChanges, disconnect: services.disconnect, protection }),
    ...campaignRoutes({ ...aiChecks, renderer, reveal: revealPeople(services) }),
    ...deliveryRoutes({ ...delivery, ...aiChecks }),
    ...leadFinderRoutes(services.finder),
    ...billingRoutes(),
    ...conversationsRoutes(drafts),
    ...replyRoutes(renderer, drafts),
    ...replyDraftRoutes(replyDraftTools(app)),
    ...noteRoutes(),
    ...forwardRoutes(services.attachments),
    ...attachmentRoutes(services.attachments),
    ...sandboxRoutes(services.sandbox),
    ...meetingRoutes(services.meetings),
    ...analyticsRoutes({ readBalance, sumAiCost }),
    ...eventStreamRoutes(services.streams),
    ...aiRoutes(draftTools),
    ...approvalRoutes(draftTools),
    ...contactPolicyRoutes({ changed: policyChanged }),
    ...holidayRoutes(),
    ...suppressionsRoutes(suppressionTools),
    ...signalRoutes(),
    ...verificationRoutes(),
    ...deliverabilityRoutes(services.attachments, senderChanges),
    ...placementRoutes({ renderer, meetingUrl: delivery.meetingUrl ?? (() => null) }),
    ...taskRoutes(taskTools),
    ...collectionRoutes(),
    ...peopleRoutes({ updateLead, stopLead, openReveal: openReveal(app) }),
    ...templateRoutes(renderer),
    ...webhookRoutes(),
    ...auditRoutes(),
    ...teamRoutes(app, { admission, userLeft: userLeft }),
  ])
}

/** Routes that need nothing of other features. */
function collectionRoutes(): Route[] {
  return [...tagRoutes(), ...listRoutes(), ...exportRoutes(), ...reportRoutes()]
}

/** The keys of programs and the grants of assistants. */
function accessRoutes(tools: Parameters<typeof apiKeysRoutes>[0]): Route[] {
  return [...apiKeysRoutes(tools), ...grantRoutes(tools)]
}

function withReplica(routes: readonly Route[]): Route[] {
  return routes.map((route) =>
    replicaReads.includes(route.endpoint.operationId) ? { ...route, readsElsewhere: true } : route,
  )
}

/** All pages, pixels and hooks outside `/v2`. */
export function createPublicRoutes(app: App, services: Services): PublicRoute[] {
  return [
    ...sendingAccountsPublicRoutes(app, {
      ...senderChanges,
      findSession: findSessionAccount,
      keyMayConnect: keyMayAdminister,
    }),
    ...trackingRoutes(app),
    ...billingPublicRoutes(app),
    ...bookingPages(services.meetings),
    ...meetingHooks(services.meetings),
    ...singleSignOnRoutes(app, services),
    ...consoleRoutes(app),
    ...assistantPages(app, { sessions: services.sessions, protection: createProtection(app) }),
    ...mcpRoutes(app, { findGrant: (authorization) => readAssistantAccess(app, authorization) }),
  ]
}

/** Values sealed with a lost key can't be read. The export contains the rest. */
function openReveal({ secrets }: App): PeopleTools['openReveal'] {
  return (tenant, { personId, field, value }) => {
    if (value === null) return null
    try {
      return secrets.decrypt(value, revealContext(tenant, personId, field))
    } catch (error) {
      if (error instanceof SecretError) return null
      throw error
    }
  }
}

function revealPeople({ finder }: Services): RevealPeople {
  return async (tenant, { personIds, maxCredits, now }) => {
    const { estimatedCredits } = await estimateReveal(finder, tenant, personIds)
    const { emails, creditsCharged } = await revealForLeads(finder, tenant, {
      personIds,
      now,
      ...(maxCredits === undefined ? {} : { maxCredits }),
    })
    return { estimatedCredits, creditsCharged, emails }
  }
}

async function findSessionAccount(app: App, client: ClientFacts): Promise<string | null> {
  return (await findSession(app, { client, now: app.clock.now() }))?.id ?? null
}
