import { copyProfile } from '@overture/ground/lead-profile.ts'
import type { StreamTools } from '../analytics/index.ts'
import { listUsableKeyIds } from '../api-keys/index.ts'
import { describeClock, simulateAddress } from '../sandbox/index.ts'
import { findAccount } from '../accounts/index.ts'
import {
  closeReplyDraft,
  decideDraft,
  type DraftTools,
  reopenReplyDraft,
  type ReplyDraftTools,
  requestTriage,
  showReplyDraft,
  takeReplyDraft,
  type TriageTools,
} from '../ai/index.ts'
import {
  cancelSuppressedTasks,
  continueAfterTask,
  findCampaign,
  findLead,
  findLeadWithCampaign,
  listSteps,
  lockLead,
  pauseCampaign,
  releaseLead,
  releaseCheckedLeads,
  releasePolicyHolds,
  releaseProviderHolds,
  markSuppressedLeads,
  releaseSuppressedLeads,
  releaseSuppressionHolds,
  resumeRelievedCampaigns,
  setInterest,
  askBranches,
  stopLead,
  type SuppressedAddress,
  wakePlanner,
} from '../campaigns/index.ts'
import { listThreadMessages, presentMessage, updateTriage } from '../delivery/index.ts'
import {
  type ConversationDrafts,
  findNewestReply,
  findNewestReplyBeside,
  findReplyText,
  isNewestReply,
  type ReceiveHooks,
} from '../inbox/index.ts'
import type { App } from '../platform/app.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { listUsableSessionIds } from '../team/index.ts'
import { findSuppressed } from '../suppressions/index.ts'
import { closeTaskOfText, type TaskTools } from '../tasks/index.ts'
import { createVerification } from '../verification/index.ts'
import type { VerificationTools } from '../verification/verification-tools.ts'

/** Functions that one feature needs from another without an import between them. The composition passes them in. */

/** Plans again when a sender changed. Campaigns that were paused because of that sender are resumed. */
export const senderChanges = {
  async changed(tx: Transaction, tenant: Tenant, now: Date): Promise<void> {
    await resumeRelievedCampaigns(tx, tenant, now)
    await releaseProviderHolds(tx, tenant, now)
    wakePlanner(tx, tenant, longAgo)
  },
}

/** Releases the leads with an address that is no longer suppressed, and wakes the planner. */
async function suppressionLifted(
  tx: Transaction,
  tenant: Tenant,
  address: SuppressedAddress & { now: Date },
): Promise<void> {
  await releaseSuppressedLeads(tx, tenant, address)
  wakePlanner(tx, tenant, longAgo)
}

/** Holds the leads of a suppressed address and cancels their tasks. */
async function suppressionAdded(
  tx: Transaction,
  tenant: Tenant,
  address: SuppressedAddress & { now: Date },
): Promise<void> {
  await markSuppressedLeads(tx, tenant, address)
  await cancelSuppressedTasks(tx, tenant, address)
}

export const suppressionTools = {
  added: suppressionAdded,
  lifted: suppressionLifted,
  freed: releaseSuppressionHolds,
}

/** Looks again at the leads that the earlier contact policy held. */
export async function policyChanged(tx: Transaction, tenant: Tenant, now: Date): Promise<void> {
  await releasePolicyHolds(tx, tenant, now)
  wakePlanner(tx, tenant, longAgo)
}

export const draftTools: DraftTools = {
  async findLeadFacts(db, tenant, key) {
    const found = await findLeadWithCampaign(db, tenant, key)
    if (!found) return undefined
    // The model gets no field that could be used to call the person, find them elsewhere or guess their local time.
    const { mobile: _mobile, timezone: _timezone, personId: _personId, ...profile } = copyProfile(found.lead)
    return { email: found.lead.email, ...profile, customVariables: found.lead.customVariables }
  },
  async findApprovalMode(db, tenant, campaignId) {
    return (await findCampaign(db, tenant, campaignId))?.settings.aiApproval
  },
  async beginsThread(db, tenant, { campaignId, stepId }) {
    const step = (await listSteps(db, tenant, [campaignId])).get(campaignId)?.find(({ id }) => id === stepId)
    return step !== undefined && (step.position === 1 || !step.sameThread)
  },
  releaseLead,
  async isAwaited(db, tenant, key) {
    return (await findLead(db, tenant, key))?.blockedReason === 'awaiting_approval'
  },
  async stopRejected(tx, tenant, key) {
    await stopLead(tx, tenant, { ...key, status: 'stopped', stoppedBy: { rule: 'text_rejected' } })
    // The stopped lead frees a place for another text.
    wakePlanner(tx, tenant, key.now)
  },
  skipRejected: continueAfterTask,
  handTextDecided: closeTaskOfText,
  async pauseForCredits(tx, tenant, { campaignId, now }) {
    await pauseCampaign(tx, tenant, { campaignId, reason: 'credits_exhausted', now })
  },
}

export const taskTools: TaskTools = {
  async decideText(tx, tenant, decision) {
    // The caller closes the task itself.
    const tools = { ...draftTools, handTextDecided: () => Promise.resolve() }
    await decideDraft(tx, tenant, { tools, ...decision })
  },
}

export const triageTools = ({ secrets }: App): TriageTools => ({
  replyDrafts: replyDraftTools({ secrets }),
  async findTriageModel(db, tenant, campaignId) {
    return (await findCampaign(db, tenant, campaignId))?.settings.aiTriage?.modelId ?? null
  },
  findReply: findReplyText,
  isNewestReply,
  async lockLead(tx, tenant, key) {
    const lead = await lockLead(tx, tenant, key)
    if (lead === undefined) return undefined
    const { email, status, interest, interestSource } = lead
    return {
      email,
      status,
      interest,
      interestSource,
      suppressed: (await findSuppressed(tx, tenant, { secrets, emails: [email] })).has(email),
    }
  },
  storeTriage: updateTriage,
  askBranches,
  label: (tx, tenant, { campaignId, leadId, interest, now }) =>
    setInterest(tx, tenant, { campaignId, leadId, interest, source: 'machine', now }),
})

/** The states of messages that their recipient may have read. */
const saidStatuses: ReadonlySet<string> = new Set(['sent', 'received', 'uncertain'])

/** The functions of other features that drafted replies need. */
export function replyDraftTools({ secrets }: Pick<App, 'secrets'>): ReplyDraftTools {
  return {
    async findDraftModel(db, tenant, campaignId) {
      const settings = (await findCampaign(db, tenant, campaignId))?.settings
      return settings?.replyDrafts === 'on' ? (settings.aiTriage?.modelId ?? null) : null
    },
    async findNewestReply(db, tenant, key) {
      const found =
        'threadId' in key
          ? await findNewestReply(db, tenant, key.threadId)
          : await findNewestReplyBeside(db, tenant, key.messageId)
      if (found === undefined) return null
      const { isAnswerable, ...newest } = found
      const { campaignId, leadId } = newest
      if (!isAnswerable || campaignId === null || leadId === null) return { ...newest, isOpen: false }
      const lead = await findLead(db, tenant, { campaignId, leadId })
      if (lead === undefined || lead.status === 'unsubscribed') return { ...newest, isOpen: false }
      const suppressed = await findSuppressed(db, tenant, { secrets, emails: [lead.email] })
      return { ...newest, isOpen: !suppressed.has(lead.email) }
    },
    async readConversation(db, tenant, { threadId, campaignId, leadId }) {
      const messages = (await listThreadMessages(db, tenant, threadId))
        .filter(({ kind, status }) => kind !== 'bounce' && saidStatuses.has(status))
        .map(presentMessage)
        .map(({ direction, subject, text }) => ({
          by: direction === 'inbound' ? ('lead' as const) : ('us' as const),
          subject,
          text: text ?? '',
        }))
      const steps = (await listSteps(db, tenant, [campaignId])).get(campaignId) ?? []
      return {
        messages,
        campaignTexts: steps.flatMap(({ variants }) => variants.flatMap(({ subject, body }) => [subject, body])),
        knowledge: (await findAccount(db, tenant.accountId))?.replyKnowledge ?? null,
        firstName: (await findLead(db, tenant, { campaignId, leadId }))?.firstName ?? null,
      }
    },
    findLeadEmail: async (db, tenant, key) => (await findLead(db, tenant, key))?.email ?? null,
  }
}

/** The functions of drafted replies that conversations need. */
export function conversationDrafts(app: Pick<App, 'secrets'>): ConversationDrafts {
  const tools = replyDraftTools(app)
  return {
    show: (db, tenant, threadId) => showReplyDraft(db, tenant, tools, threadId),
    take: (tx, tenant, sent) => takeReplyDraft(tx, tenant, tools, sent),
    close: closeReplyDraft,
    reopen: reopenReplyDraft,
  }
}

/** An import with `verify` starts a verification of its campaign. */
export const importTools = { verify: createVerification }

export const verificationTools: VerificationTools = {
  simulate: simulateAddress,
  checked: releaseCheckedLeads,
}

/** Requests that the campaign's model reads a reply, if the campaign has a model. */
export function repliedHook(app: App): NonNullable<ReceiveHooks['replied']> {
  const tools = triageTools(app)
  return (tx, tenant, reply) => requestTriage(tx, tenant, tools, reply)
}

// Earlier than the time of every clock, so the planner runs at once in both environments.
const longAgo = new Date(0)

/** Facts that event streams need about keys and sessions and about the clock of the test environment. */
export const streamTools: StreamTools = {
  async usableCallers({ db, clock }, accountId, ids) {
    const now = clock.now()
    const keys = await listUsableKeyIds(db, accountId, { keyIds: ids, now })
    const sessions = await listUsableSessionIds(db, accountId, { sessionIds: ids, now })
    return new Set([...keys, ...sessions])
  },
  async clockText(app, tenant) {
    return JSON.stringify(await describeClock(app, tenant))
  },
}
