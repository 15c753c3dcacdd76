import { createHash } from 'node:crypto'
import type { Approval, Campaign, Lead, Page, PromptPreset, SendingAccount } from '@overture/sdk'
import type { ToolContext } from './tool.ts'

const pageRows = 100
/** A person can't consent through an assistant to more than was read for the digest, which is 10,000 leads and as many texts. */
const pagesMax = 100
/** The limit for all texts of one question together. */
const shownCharactersMax = 20_000

interface CampaignContent {
  campaign: object
  leads: string
  texts: string
  senders: string
  prompts: string
  postalAddress: string | null
  privacyContact: string | null
  privacyUrl: string | null
}

/**
 * Everything that decides what a campaign sends, its recipients and its times. Its messages also contain the names and signatures of the
 * senders, texts that a model writes from prompts, the postal address and the
 * contact of privacy notices. Returns a refusal if there is more than can be read.
 */
export async function readContent({ overture }: ToolContext, campaign: Campaign): Promise<CampaignContent | string> {
  const { id, steps } = campaign
  const leads = await readAllPages((cursor) => overture.campaigns.leads.list(id, { limit: pageRows, ...cursor }))
  if (leads === null) return tooMany('leads')
  const presetIds = steps.flatMap(({ variants }) => variants.flatMap(({ ai }) => (ai === null ? [] : [ai.presetId])))
  const writes = presetIds.length > 0
  const approved = { status: 'approved', limit: pageRows } as const
  const texts = writes
    ? await readAllPages((cursor) => overture.campaigns.approvals.list(id, { ...approved, ...cursor }))
    : []
  if (texts === null) return tooMany('approved texts')
  const senders = await readAllPages((cursor) => overture.sendingAccounts.list({ limit: pageRows, ...cursor }))
  if (senders === null) return tooMany('sending accounts')
  const prompts = writes ? await readAllPages((cursor) => overture.ai.prompts.list({ limit: pageRows, ...cursor })) : []
  if (prompts === null) return tooMany('prompts')
  const { postalAddress, privacyContact, privacyUrl } = await overture.account.get()
  return {
    campaign: withoutCounters(campaign),
    leads: digestItems(leads, leadContent),
    texts: digestItems(texts, textContent),
    senders: digestItems(
      senders.filter((sender) => campaign.sendingAccountIds.includes(sender.id)),
      senderContent,
    ),
    prompts: digestItems(
      prompts.filter(({ id: promptId }) => presetIds.includes(promptId)),
      promptContent,
    ),
    postalAddress,
    privacyContact,
    privacyUrl,
  }
}

function tooMany(what: string): string {
  return `campaignId: has more than ${pagesMax * pageRows} ${what}. A user can start or resume it in the console.`
}

/** Returns null if there are more pages than can be read. */
async function readAllPages<Item>(
  page: (cursor: { cursor?: string }) => PromiseLike<Page<Item>>,
): Promise<readonly Item[] | null> {
  const items: Item[] = []
  let next: { cursor?: string } = {}
  for (let count = 0; count < pagesMax; count++) {
    const { results, nextCursor } = await page(next)
    items.push(...results)
    if (nextCursor === null) return items
    next = { cursor: nextCursor }
  }
  return null
}

/** Lists the fields to leave out, so that a new field of a campaign is part of the consent. */
function withoutCounters(campaign: Campaign): object {
  const { status: _s, statusReason: _r, leadCount: _l, createdAt: _c, updatedAt: _u, ...rest } = campaign
  const { launchedAt: _a, completedAt: _o, ...content } = rest
  return content
}

/** The same for a lead. Fields that change while the person reads the question are left out, and every other field counts. */
function leadContent(lead: Lead): object {
  const { blockedReason: _b, nextSendAt: _n, lastContactedAt: _l, updatedAt: _u, createdAt: _c, ...rest } = lead
  const { openCount: _o, clickCount: _k, replyCount: _r, sendingAccountId: _s, ...content } = rest
  return content
}

function textContent({ id, leadId, stepId, variantId, subject, body }: Approval): object {
  return { id, leadId, stepId, variantId, subject, body }
}

/** The recipient reads these fields, or replies to the address in one of them. */
function senderContent({ id, email, fromName, signature, replyTo }: SendingAccount): object {
  return { id, email, fromName, signature, replyTo }
}

function promptContent({ id, prompt, modelId, version }: PromptPreset): object {
  return { id, prompt, modelId, version }
}

/** The digest does not depend on the order of the pages. */
function digestItems<Item extends { id: string }>(
  items: readonly Item[],
  contentOfItem: (item: Item) => object,
): string {
  const hash = createHash('sha256')
  for (const item of items.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
    hash.update(`${JSON.stringify(contentOfItem(item))}\n`)
  return hash.digest('hex')
}

/** Every text of the campaign, in full as long as there is room. After that, a line says how much is missing. */
export function shownSteps({ steps }: Pick<Campaign, 'steps'>): string[] {
  let room = shownCharactersMax
  const shown = (text: string): string => {
    const part = text.slice(0, room).toWellFormed()
    room -= part.length
    const missing = text.length - part.length
    return missing === 0 ? part : `${part} [${missing} characters are not shown]`
  }
  return steps.flatMap(({ position, type, variants, branches }) => [
    ...(variants.length === 0 ? [`Step ${position}: ${type} ${shown(JSON.stringify(branches))}`] : []),
    ...variants.map(({ label, subject, body, enabled, ai }) => {
      const about = [label, ...(enabled ? [] : ['disabled']), ...(ai === null ? [] : ['text by AI'])].join(', ')
      return `Step ${position} (${about}): ${shown(subject) || '(same subject)'}\n${shown(body)}`
    }),
  ])
}

/** Leads that other campaigns hand over are not in the list of leads, so the question says that they will follow. */
export function shownEntry({ entry }: Pick<Campaign, 'entry'>): string[] {
  if (entry === null) return []
  const from = entry.from === 'any' ? 'any other campaign' : `the campaigns ${entry.from.join(', ')}`
  const when = entry.when === null ? 'all of their leads' : `leads that match ${JSON.stringify(entry.when)}`
  return [`It also takes over from ${from}: ${when}. These are not counted above.`]
}
