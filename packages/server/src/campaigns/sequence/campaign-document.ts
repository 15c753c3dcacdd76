import { isCampaign } from '@overture/ground/paths/path.ts'
import { mapLeaves, type Condition } from '@overture/ground/paths/condition.ts'
import {
  campaignDocumentFormat,
  type CampaignDocument,
  type CampaignDocumentInput,
  type DocumentStep,
  type ImportNote,
} from '@overture/contract/campaigns/campaign-document.ts'
import type { Campaign, CreateCampaignInput, Step } from '@overture/contract/campaigns/campaigns.ts'

/** The sending accounts and the tags that campaigns name by their id. */
export interface DocumentNames {
  senders: readonly { id: string; email: string }[]
  tags: readonly { id: string; name: string }[]
}

/** Writes a campaign as a document. Steps refer to each other by keys, since ids are different after an import. */
export function campaignDocument(campaign: Campaign, { senders, tags }: DocumentNames): CampaignDocument {
  const { name, steps, schedule, entry } = campaign
  const { followsListId: _left, ...settings } = campaign.settings
  const emails = new Map(senders.map(({ id, email }) => [id, email]))
  const keys = stepKeys(steps)
  return {
    format: campaignDocumentFormat,
    name,
    steps: steps.map((step) => documentStep(step, keys)),
    schedule,
    settings,
    senders: campaign.sendingAccountIds.flatMap((id) => emails.get(id) ?? []),
    entry,
    tags: tags.filter(({ id }) => campaign.tagIds.includes(id)).map((tag) => tag.name),
  }
}

/** The key of each step by its id. Steps without one get their position. */
function stepKeys(steps: readonly Step[]): Map<string, string> {
  const taken = new Set(steps.map(({ key }) => key))
  return new Map(
    steps.map(({ id, key }, index) => {
      let made = `step-${index + 1}`
      while (taken.has(made)) made += '-'
      return [id, key ?? made]
    }),
  )
}

function documentStep(step: Step, keys: ReadonlyMap<string, string>): DocumentStep {
  const getKey = (id: string) => keys.get(id) ?? id
  const { type, waitBefore } = step
  const then = step.then === null ? null : getKey(step.then)
  const common = { key: getKey(step.id), type, waitBefore, then }
  if (type === 'task') {
    const { channel, title, instructions, assigneeId, dueIn, blocks, expiresIn } = step
    return { ...common, channel, title, instructions, assigneeId, dueIn, blocks, expiresIn }
  }
  if (type === 'branch')
    return {
      ...common,
      branches: step.branches.map(({ label, when, goTo, immediately }) => ({
        label,
        when: mapLeaves(when, (leaf) => leafWithKeys(leaf, getKey)) as typeof when,
        goTo: goTo === null ? null : getKey(goTo),
        immediately,
      })),
    }
  const { sameThread, variantSelection, byHand } = step
  const variants = step.variants.map(({ id: _id, ...variant }) => variant)
  return { ...common, sameThread, variantSelection, variants, byHand }
}

function leafWithKeys(leaf: Condition, getKey: (id: string) => string): Condition {
  return {
    ...leaf,
    ...(leaf.stepId === undefined ? {} : { stepId: getKey(leaf.stepId) }),
    ...(leaf.task === undefined ? {} : { task: getKey(leaf.task) }),
  }
}

/** The things that a document can name and that the account has. */
export interface KnownHere {
  /** Ids of sending accounts by their address in lower case. */
  senders: ReadonlyMap<string, string>
  campaignIds: ReadonlySet<string>
  userIds: ReadonlySet<string>
  isModel: (modelId: string) => boolean
}

/** The ids of campaigns and users that a document names. */
export function namedInDocument({ steps, entry }: CampaignDocumentInput): { campaignIds: string[]; userIds: string[] } {
  const targets = steps.flatMap(({ branches = [] }) => branches.flatMap(({ goTo }) => goTo ?? []))
  const sources = entry === null || entry.from === 'any' ? [] : entry.from
  return {
    campaignIds: [...new Set([...targets.filter(isCampaign), ...sources])],
    userIds: [...new Set(steps.flatMap(({ assigneeId }) => assigneeId ?? []))],
  }
}

/** Makes the input of a new campaign. References to what the account lacks are left out, each with a note. */
export function fitDocument(
  document: CampaignDocumentInput,
  known: KnownHere,
): { input: CreateCampaignInput; notes: ImportNote[] } {
  const notes: ImportNote[] = []
  const { name, schedule } = document
  const sendingAccountIds = document.senders.flatMap((email, index) => {
    const id = known.senders.get(email.toLowerCase())
    if (id === undefined) notes.push({ path: `senders[${index}]`, message: `${email} is no sending account here.` })
    return id ?? []
  })
  const settings = fitSettings(document.settings, known, notes)
  const steps = document.steps.map((step, index) => fitStep(step, `steps[${index}]`, known, notes))
  const entry = fitEntry(document.entry, known, notes)
  return {
    input: { name, schedule, steps, settings, entry, sendingAccountIds: [...new Set(sendingAccountIds)] },
    notes,
  }
}

function fitSettings(
  settings: CampaignDocumentInput['settings'],
  { isModel }: KnownHere,
  notes: ImportNote[],
): CampaignDocumentInput['settings'] {
  if (settings.aiTriage === undefined || settings.aiTriage === null || isModel(settings.aiTriage.modelId))
    return settings
  const message = `The model ${settings.aiTriage.modelId} does not exist here, so no model reads the replies.`
  notes.push({ path: 'settings.aiTriage', message })
  return { ...settings, aiTriage: null, replyDrafts: 'off' }
}

function fitStep(step: DocumentStep, path: string, known: KnownHere, notes: ImportNote[]): DocumentStep {
  const fitted = { ...step }
  if (typeof step.assigneeId === 'string' && !known.userIds.has(step.assigneeId)) {
    notes.push({ path: `${path}.assigneeId`, message: 'The assignee is no user here. The task is for the owner.' })
    fitted.assigneeId = null
  }
  if (step.branches === undefined) return fitted
  fitted.branches = step.branches.map((branch, index) => {
    const { goTo = null } = branch
    if (!isCampaign(goTo) || known.campaignIds.has(goTo)) return branch
    const message = `The campaign ${goTo} does not exist here. The sequence ends for these leads.`
    notes.push({ path: `${path}.branches[${index}].goTo`, message })
    return { ...branch, goTo: 'end' }
  })
  return fitted
}

// An entry whose condition names steps of a campaign that is missing can't be checked, so it waits for leads of branches only.
function fitEntry(
  entry: CampaignDocumentInput['entry'],
  { campaignIds }: KnownHere,
  notes: ImportNote[],
): CampaignDocumentInput['entry'] {
  if (entry === null || entry.from === 'any' || entry.from.every((id) => campaignIds.has(id))) return entry
  const message =
    'Not all campaigns from which it takes over people exist here. Only branches can hand people over to it.'
  notes.push({ path: 'entry.from', message })
  return { from: [], when: null }
}
