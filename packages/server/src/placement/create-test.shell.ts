import { invalid, notFound, type AppError } from '@overture/contract/errors.ts'
import {
  placementSeedsMax,
  type CreatePlacementTestInput,
  type RepeatEnd,
} from '@overture/contract/placement/placement-tests.ts'
import { findCampaign } from '../campaigns/index.ts'
import {
  writePlacementMessages,
  type ExplainTools,
  type PlacementMessage,
  type PlacementText,
} from '../delivery/index.ts'
import type { App } from '../platform/app.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import { findTemplate } from '../templates/index.ts'
import { findFirstLead, listPresentSenders } from './placement-tests.sql.ts'
import { refused } from './refusals.ts'
import { listSeeds, listSeedsById } from './seed-mailboxes.sql.ts'

export interface WrittenTest {
  id: string
  input: CreatePlacementTestInput
  text: PlacementText
  seedMailboxIds: readonly string[]
  messages: readonly PlacementMessage[]
}

interface TestToWrite extends ExplainTools {
  input: CreatePlacementTestInput
  now: Date
}

/** Finds the senders, the seeds and the text of a test, and writes its messages. Throws 400 or 409 with what is missing. */
export async function writeTest(app: App, tenant: Tenant, { input, now, ...tools }: TestToWrite): Promise<WrittenTest> {
  const sendingAccountIds = [...new Set(input.sendingAccountIds)]
  const present = new Set(await listPresentSenders(app.db, tenant, sendingAccountIds))
  const lost = input.sendingAccountIds.findIndex((id) => !present.has(id))
  if (lost >= 0) throw unknown(`sendingAccountIds[${lost}]`, 'There is no such sending account.')
  const seeds = await findSeeds(app, tenant, input)
  const text = await findText(app, tenant, input)
  const id = newId('plt')
  const messages = await writePlacementMessages(app, tenant, {
    ...tools,
    placementTestId: id,
    text,
    sendingAccountIds,
    seeds,
    now,
  })
  return { id, input, text, seedMailboxIds: seeds.map((seed) => seed.id), messages }
}

async function findSeeds({ db }: App, tenant: Tenant, { seedMailboxIds }: CreatePlacementTestInput) {
  if (seedMailboxIds === undefined) {
    const all = await listSeeds(db, tenant, { after: null, limit: placementSeedsMax, offset: 0 })
    if (all.length > 0) return all
    throw refused('Add a seed mailbox first.', 'no_seed_mailbox')
  }
  const found = await listSeedsById(db, tenant, seedMailboxIds)
  const lost = seedMailboxIds.findIndex((id) => !found.some((seed) => seed.id === id))
  if (lost >= 0) throw unknown(`seedMailboxIds[${lost}]`, 'There is no such seed mailbox.')
  return found
}

async function findText({ db }: App, tenant: Tenant, input: CreatePlacementTestInput): Promise<PlacementText> {
  const { campaignId, stepId, variantId, templateId } = input
  if (templateId !== undefined) {
    const template = await findTemplate(db, tenant, templateId)
    if (template === null) throw notFound()
    return { kind: 'template', subject: template.subject, body: template.body }
  }
  if (campaignId === undefined || stepId === undefined) throw notFound()
  if ((await findCampaign(db, tenant, campaignId)) === undefined) throw notFound()
  const leadId = input.leadId ?? (await findFirstLead(db, tenant, campaignId))
  if (leadId === null)
    throw refused('The campaign has no lead whose values the text could have. Add one first.', 'no_lead')
  return { kind: 'step', campaignId, stepId, variantId, leadId }
}

function unknown(path: string, message: string): AppError {
  return invalid({ path, rule: 'unknown', message })
}

/** The reason why a weekly test can't be repeated. Null: another try may succeed. */
export async function endOfRepeat(
  app: App,
  tenant: Tenant,
  input: CreatePlacementTestInput,
): Promise<RepeatEnd | null> {
  const senders = await listPresentSenders(app.db, tenant, input.sendingAccountIds)
  if (senders.length < input.sendingAccountIds.length) return 'sender_deleted'
  const seeds = input.seedMailboxIds ?? []
  if ((await listSeedsById(app.db, tenant, seeds)).length < seeds.length) return 'seeds_deleted'
  return null
}
