import {
  campaignActions,
  defaultSettings,
  type CampaignAction,
  type CampaignStatus,
  type CreateCampaignInput,
  type Schedule,
  type Settings,
  type Step,
  structureEditableIn,
  type UpdateCampaignInput,
} from '@overture/contract/campaigns/campaigns.ts'
import { AppError, type Blocker } from '@overture/contract/errors.ts'
import type { Entry } from '@overture/contract/campaigns/conditions.ts'
import { sameValue } from '@overture/contract/read-only.ts'
import { readEntry } from './sequence/entry.ts'
import { unreachableBranches } from './sequence/reachable.ts'

/** Refuses settings of a started campaign with which a branch could never be true. Branches that could never be true before are ignored. */
export function assertStaysReachable(
  status: CampaignStatus,
  before: { settings: Settings; steps: readonly Step[] },
  after: { settings: Settings; steps: readonly Step[] },
): void {
  if (status === 'draft' || sameValue(before.settings, after.settings)) return
  const known = unreachableBranches(after.steps, before.settings).map((blocker) => blocker.message)
  const blockers = unreachableBranches(after.steps, after.settings).filter(({ message }) => !known.includes(message))
  refuseBlocked(status, blockers, 'With these settings a branch can never match')
}

/** The part of a campaign that its owner writes. */
export interface CampaignContent {
  name: string
  schedule: Schedule
  settings: Settings
  sendingAccountIds: string[]
  entry: Entry | null
  ownerId: string | null
}

/** Throws CONFLICT if the status does not allow the action. Source of the rules: docs/contract.md, "Campaigns". */
export function assertAllowed(status: CampaignStatus, action: CampaignAction): void {
  const allowedActions = campaignActions[status]
  if (allowedActions.includes(action)) return
  throw new AppError('CONFLICT', `The campaign is ${status}, so the action ${action} is not possible.`, {
    currentStatus: status,
    allowedActions,
  })
}

/** A campaign whose start date is in the future is scheduled; any other one is active at once. */
export function statusAtStart(schedule: Schedule, beginsAt: Date | null, now: Date): 'active' | 'scheduled' {
  return schedule.startDate !== null && beginsAt !== null && beginsAt > now ? 'scheduled' : 'active'
}

export function mergeContent(
  current: CampaignContent,
  sent: UpdateCampaignInput | CreateCampaignInput,
): CampaignContent {
  return {
    name: sent.name ?? current.name,
    schedule: { ...current.schedule, ...defined(sent.schedule) },
    settings: mergeSettings(current.settings, sent.settings),
    sendingAccountIds: sent.sendingAccountIds ? [...new Set(sent.sendingAccountIds)] : current.sendingAccountIds,
    entry: readEntry(sent.entry, current.entry),
    ownerId: sent.ownerId === undefined ? current.ownerId : sent.ownerId,
  }
}

function mergeSettings(current: Settings, sent: UpdateCampaignInput['settings']): Settings {
  const changes = defined(sent)
  return {
    ...defaultSettings,
    ...current,
    ...changes,
    bounceProtection: { ...current.bounceProtection, ...defined(sent?.bounceProtection) },
    verification: { ...defaultSettings.verification, ...current.verification, ...defined(sent?.verification) },
  }
}

/** Whether both settings judge addresses alike. Settings that are older than the rules have none. */
export function sameAddressRules(a: Settings, b: Settings): boolean {
  const [one, other] = [a, b].map((settings) => ({ ...defaultSettings.verification, ...settings.verification }))
  return one?.mode === other?.mode && one?.roleAddresses === other?.roleAddresses
}

/** Whether both choose the same senders by the provider of the recipient. */
export function sameProviderRules(a: CampaignContent, b: CampaignContent): boolean {
  const isSame = a.settings.providerMatching === b.settings.providerMatching
  return isSame && (a.settings.providerMatching === 'off' || sameValue(a.sendingAccountIds, b.sendingAccountIds))
}

function defined<Fields extends object>(fields: Fields | undefined): Partial<Fields> {
  if (!fields) return {}
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>
}

/** Steps, schedule and senders can't change while a campaign runs; text, name and settings can (docs/contract.md, "Campaigns"). */
export function assertStructureUnchanged(
  status: CampaignStatus,
  before: { content: CampaignContent; steps: readonly Step[] },
  after: { content: CampaignContent; steps: readonly Step[] },
): void {
  if (structureEditableIn.includes(status)) return
  const changed: string[] = []
  if (!sameValue(describeStructure(before.steps), describeStructure(after.steps))) changed.push('steps')
  if (!sameValue(before.content.schedule, after.content.schedule)) changed.push('schedule')
  if (!sameValue(before.content.sendingAccountIds, after.content.sendingAccountIds)) changed.push('sendingAccountIds')
  if (changed.length === 0) return
  throw new AppError(
    'CONFLICT',
    `${changed.join(', ')} can't change while the campaign is ${status}. Pause the campaign first.`,
    {
      currentStatus: status,
      allowedActions: campaignActions[status],
      fields: changed,
    },
  )
}

function describeStructure(steps: readonly Step[]) {
  return steps.map(({ id, type, waitBefore, then: leadsTo, sameThread, branches, byHand, ...step }) => {
    const ways = branches.map(({ label: _label, ...branch }) => branch)
    const { channel, dueIn, blocks, expiresIn } = step
    return { id, type, waitBefore, leadsTo, sameThread, ways, byHand, channel, dueIn, blocks, expiresIn }
  })
}

/** Everything that can prevent a campaign from starting, reported together. Source: docs/contract.md, "Campaigns". */
interface StartFacts {
  steps: readonly Step[]
  settings: Settings
  sendingAccountIds: readonly string[]
  /** Senders that can't send now, with their status as the reason. */
  unavailableSenders: readonly { id: string; status: string }[]
  postalAddressMissing: boolean
  publicUrlUnreachable: boolean
  neverOpens: boolean
  missingPresetIds: readonly string[]
  creditsMissing: boolean
  /** Branches whose target campaign is deleted or was never started, and an entry that no lead can ever meet. */
  handOverBlockers: readonly Blocker[]
}

export function startBlockers(facts: StartFacts): Blocker[] {
  const blockers: Blocker[] = []
  const add = (code: string, message: string, ref: string | null = null) => blockers.push({ code, message, ref })
  if (facts.steps.length === 0) add('no_steps', 'The campaign has no steps.')
  blockers.push(...unreachableBranches(facts.steps, facts.settings))
  blockers.push(...facts.handOverBlockers)
  if (facts.sendingAccountIds.length === 0) add('no_sending_accounts', 'The campaign has no sending accounts.')
  for (const sender of facts.unavailableSenders)
    add('sending_account_unavailable', `Sending account ${sender.id} is ${sender.status}.`, sender.id)
  if (facts.postalAddressMissing)
    add(
      'missing_postal_address',
      'Live mail needs the postal address of the account. Set it with PUT /v2/account {postalAddress}.',
    )
  if (facts.publicUrlUnreachable)
    add(
      'public_url_unreachable',
      'Live mail needs links that recipients can open. Set OVERTURE_PUBLIC_URL to an https URL with a public name.',
    )
  if (facts.neverOpens) add('schedule_never_opens', 'The schedule has no sending window in the future.')
  for (const presetId of facts.missingPresetIds)
    add('preset_missing', `Prompt preset ${presetId} does not exist.`, presetId)
  if (facts.creditsMissing) add('insufficient_credits', 'There are not enough credits to write the AI steps.')
  return blockers
}

export function refuseBlocked(status: CampaignStatus, blockers: Blocker[], why = "The campaign can't start"): void {
  if (blockers.length === 0) return
  throw new AppError('CONFLICT', `${why}: ${blockers.map((blocker) => blocker.code).join(', ')}.`, {
    currentStatus: status,
    allowedActions: campaignActions[status],
    blockers,
  })
}
