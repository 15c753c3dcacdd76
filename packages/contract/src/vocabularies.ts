/**
 * The status tables and word lists that the server and the console both use. This file does not import zod, so that a browser need not load
 * it. The types of the schemas ensure that both agree.
 */

export const campaignStatuses = ['draft', 'scheduled', 'active', 'paused', 'completed'] as const
type CampaignStatus = (typeof campaignStatuses)[number]
export type CampaignAction = 'start' | 'launch' | 'pause' | 'resume' | 'delete'

/** Status → allowed actions. Source: docs/contract.md, "Campaigns". */
export const campaignActions: Record<CampaignStatus, readonly CampaignAction[]> = {
  draft: ['start', 'launch', 'delete'],
  scheduled: ['pause'],
  active: ['pause'],
  paused: ['resume', 'delete'],
  completed: ['delete'],
}

/** The statuses in which steps, schedule and senders may be added, removed and reordered. Source: docs/contract.md, "Campaigns". */
export const structureEditableIn: readonly CampaignStatus[] = ['draft', 'paused', 'completed']

export const stepsMax = 50
export const variantsMax = 26

/** The notice about a person's data in the first message. */
export const privacyNotices = ['off', 'link', 'text'] as const
/** Which leads of a campaign are tracked. */
export const trackingModes = ['off', 'on', 'by_consent'] as const

/** `email` sends a message; `branch` decides on which path a lead continues; `task` is done by a person. */
export const stepTypes = ['email', 'branch', 'task'] as const
/** The kinds of task steps. */
export const taskStepChannels = ['call', 'linkedin_visit', 'linkedin_connect', 'linkedin_message', 'other'] as const
/** `email`: a text that a person reads before it is sent. */
export const taskChannels = [...taskStepChannels, 'email'] as const
export const taskStatuses = ['open', 'done', 'skipped', 'canceled'] as const
const callOutcomes = ['connected', 'no_answer', 'voicemail', 'wrong_number', 'not_interested'] as const
export const taskOutcomes = [...callOutcomes, 'done'] as const
/** The outcomes that complete a task of a channel. */
export const outcomesForChannel = (channel: (typeof taskChannels)[number]): readonly (typeof taskOutcomes)[number][] =>
  channel === 'call' ? callOutcomes : ['done']
export const branchesMax = 8
/** The calendar of holidays of a schedule that uses the country of each lead. */
export const leadCalendar = 'lead'
/** The end of a path, in place of a step. */
export const pathEnd = 'end'
/** The prefix of campaign ids. A branch may lead to another campaign in place of a step. */
export const campaignIdPrefix = 'cmp_'
/** The largest number of campaigns from which a campaign takes leads over, if they are listed one by one. */
export const entrySourcesMax = 20
/** The largest number of questions in one `when`. */
export const conditionLeavesMax = 16
export const conditionListMax = 16
export const deeds = ['opened', 'clicked', 'replied', 'auto_replied', 'soft_bounced', 'meeting_booked'] as const
export const conditionTests = [
  'equals',
  'not_equals',
  'contains',
  'starts_with',
  'in',
  'gt',
  'lt',
  'exists',
  'missing',
] as const

export const leadStatuses = [
  'pending',
  'active',
  'completed',
  'paused',
  'replied',
  'bounced',
  'unsubscribed',
  'stopped',
  'failed',
] as const
type LeadStatus = (typeof leadStatuses)[number]

/** The statuses that a person may set, by the current status of the lead. Source: docs/contract.md, "Leads". */
export const leadStatusMoves: Record<LeadStatus, readonly ('paused' | 'active' | 'stopped')[]> = {
  pending: ['paused', 'stopped'],
  active: ['paused', 'stopped'],
  completed: [],
  paused: ['active', 'stopped'],
  replied: [],
  bounced: [],
  unsubscribed: [],
  stopped: [],
  failed: [],
}

export const interests = [
  'interested',
  'meeting_booked',
  'meeting_completed',
  'won',
  'not_interested',
  'wrong_person',
  'out_of_office',
  'lost',
  'no_show',
] as const

/** Why a message was returned because of its sender. */
export const returnedReasons = ['sender_limit', 'sender_blocked', 'sender_authentication', 'sender_mailbox'] as const

/** `blocked`: the provider refuses mail of this account until a person acts. */
export const senderStatuses = ['active', 'paused', 'connection_error', 'auth_required', 'blocked'] as const
export type SenderAction = 'verify' | 'pause' | 'resume' | 'delete'

/** Status → allowed actions. Source: docs/contract.md, "Sending accounts". */
export const senderActions: Record<(typeof senderStatuses)[number], readonly SenderAction[]> = {
  active: ['verify', 'pause', 'delete'],
  paused: ['verify', 'resume', 'delete'],
  connection_error: ['verify', 'pause', 'delete'],
  auth_required: ['verify', 'pause', 'delete'],
  blocked: ['verify', 'pause', 'resume', 'delete'],
}

const providerHosts = {
  google: /(?:^|\.)(?:gmail\.com|googlemail\.com)$/,
  microsoft: /(?:^|\.)(?:office365\.com|outlook\.com|office\.com)$/,
}

/** Returns Google or Microsoft if an account logs in at their servers, else null. */
export function providerOfServers(sender: {
  provider: string
  smtp: { host: string } | null
}): keyof typeof providerHosts | null {
  if (sender.provider === 'google' || sender.provider === 'microsoft') return sender.provider
  const host = sender.smtp?.host ?? ''
  if (providerHosts.google.test(host)) return 'google'
  return providerHosts.microsoft.test(host) ? 'microsoft' : null
}

export const meetingStatuses = ['booked', 'rescheduled', 'completed', 'canceled', 'no_show'] as const
type MeetingStatus = (typeof meetingStatuses)[number]

/** The statuses that a person may give to a meeting, by its current status. */
export const meetingStatusMoves: Record<MeetingStatus, readonly MeetingStatus[]> = {
  booked: ['completed', 'canceled', 'no_show'],
  rescheduled: ['completed', 'canceled', 'no_show'],
  completed: ['no_show'],
  no_show: ['completed'],
  canceled: [],
}

export const suppressionSources = [
  'recipient',
  'bounce',
  'complaint',
  'manual',
  'customer',
  'import',
  'unproven',
] as const

/** The providers that accept the mail of a domain. `gateway` is a filter in front of an unknown mailbox; `unknown` was not found out. */
export const recipientProviders = ['google', 'microsoft', 'yahoo', 'apple', 'gateway', 'other', 'unknown'] as const

/** How a campaign chooses the sender of a first message by the provider of the recipient. */
export const providerMatchings = ['off', 'prefer', 'strict'] as const

/** From the best to the worst; `unknown` means that nothing is proven. */
export const verificationResults = ['deliverable', 'risky', 'undeliverable', 'unknown'] as const

/** How strictly a campaign chooses the addresses that it writes to. Each mode blocks more than the one before. */
export const verificationModes = ['off', 'block_undeliverable', 'block_risky', 'require'] as const

/** Why an address has its result. `role` and `free_mail` are facts that change no result. */
export const verificationReasons = [
  'syntax',
  'no_mx',
  'null_mx',
  'disposable',
  'role',
  'free_mail',
  'catch_all',
  'mailbox_not_found',
  'mailbox_full',
  'bounced_before',
  'replied_before',
  'typo',
] as const

/** The encodings that a request can name for a file. */
export const spreadsheetEncodings = [
  'utf-8',
  'utf-16',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1257',
  'iso-8859-2',
  'koi8-r',
  'macintosh',
  'x-mac-cyrillic',
  'shift_jis',
  'gb18030',
] as const

/** The only list of counter names: stats, analytics and summary all use it. Source: docs/contract.md, "Statistics". */
export const counterNames = [
  'leads',
  'contacted',
  'sent',
  'delivered',
  'opened',
  'uniqueOpened',
  'machineOpened',
  'clicked',
  'uniqueClicked',
  'machineClicked',
  'replied',
  'uniqueReplied',
  'autoReplied',
  'bounced',
  'verifiedBounced',
  'unsubscribed',
  'interested',
  'meetingsBooked',
  'handedOver',
  'failed',
  'uncertain',
  'returned',
] as const

/** The dimensions of grouped numbers. A query names one or two of them. */
export const groupDimensions = [
  'day',
  'week',
  'month',
  'weekday',
  'hour',
  'campaign',
  'sender',
  'step',
  'variant',
] as const

/** The last column of an exported file, which has the fields without a column. An import has a target of this name. */
export const restColumn = '*'
