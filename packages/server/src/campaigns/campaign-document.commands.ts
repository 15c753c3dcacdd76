import { AppError, type ValidationIssue } from '@overture/contract/errors.ts'
import type {
  CampaignDocument,
  CampaignDocumentInput,
  ImportNote,
} from '@overture/contract/campaigns/campaign-document.ts'
import { tagsMax } from '@overture/contract/tags/tags.ts'
import type { ExportedCampaign } from '@overture/contract/exports/export-rows.ts'
import type { Campaign, Step } from '@overture/contract/campaigns/campaigns.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import { giveTags, listTagsById } from '../tags/index.ts'
import { listSenders } from '../sending-accounts/index.ts'
import type { StartTools } from './campaign-start.commands.ts'
import { createCampaign } from './campaigns.commands.ts'
import { getCampaign, presentCampaign } from './campaigns.queries.ts'
import { listCampaignRows, listCampaignsById } from './campaigns.sql.ts'
import { hasActiveUser } from './owners.sql.ts'
import {
  campaignDocument,
  type DocumentNames,
  fitDocument,
  namedInDocument,
  type KnownHere,
} from './sequence/campaign-document.ts'
import { listSteps } from './sequence/sequence.sql.ts'

export async function exportCampaign(db: Executor, tenant: Tenant, id: string): Promise<CampaignDocument> {
  const campaign = await getCampaign(db, tenant, id)
  return campaignDocument(campaign, await readNames(db, tenant, [campaign]))
}

/** A page of the campaigns with their documents, newest first. */
export async function listCampaignDocuments(
  db: Executor,
  tenant: Tenant,
  range: RowRange<string>,
): Promise<ExportedCampaign[]> {
  const rows = await listCampaignRows(db, tenant, {}, range)
  const steps = await listSteps(
    db,
    tenant,
    rows.map(({ id }) => id),
  )
  const campaigns = rows.map((row) => presentCampaign(row, steps.get(row.id) ?? []))
  const names = await readNames(db, tenant, campaigns)
  return campaigns.map((campaign) => {
    const { id, name, status, ownerId, tagIds, leadCount, createdAt, updatedAt, launchedAt, completedAt } = campaign
    const document = campaignDocument(campaign, names)
    return { id, name, status, ownerId, tagIds, leadCount, createdAt, updatedAt, launchedAt, completedAt, document }
  })
}

async function readNames(db: Executor, tenant: Tenant, campaigns: readonly Campaign[]): Promise<DocumentNames> {
  const senderIds = [...new Set(campaigns.flatMap(({ sendingAccountIds }) => sendingAccountIds))]
  const tagIds = [...new Set(campaigns.flatMap((campaign) => campaign.tagIds))]
  return {
    senders: senderIds.length === 0 ? [] : await listSenders(db, tenant, senderIds),
    tags: tagIds.length === 0 ? [] : await listTagsById(db, tenant, tagIds),
  }
}

interface CampaignToImport extends StartTools {
  document: CampaignDocumentInput
  now: Date
}

/** Creates a draft from a document. The notes name what the account lacks. */
export async function importCampaign(
  tx: Transaction,
  tenant: Tenant,
  { document, ...tools }: CampaignToImport,
): Promise<{ campaign: Campaign; notes: ImportNote[] }> {
  const known = await knownHere(tx, tenant, document, tools)
  const { input, notes } = fitDocument(document, known)
  const { id, steps } = await createCampaign(tx, tenant, { ...tools, input }).catch(throwInDocument)
  const missing = await giveTags(tx, tenant, { campaignId: id, names: document.tags, now: tools.now })
  notes.push(...(await missingPrompts(tx, tenant, steps, tools)), ...missing.map(tagNote))
  return { campaign: await getCampaign(tx, tenant, id), notes }
}

async function knownHere(
  tx: Transaction,
  tenant: Tenant,
  document: CampaignDocumentInput,
  tools: StartTools,
): Promise<KnownHere> {
  const named = namedInDocument(document)
  const senders = document.senders.length === 0 ? [] : await listSenders(tx, tenant)
  const campaigns = await listCampaignsById(tx, tenant, named.campaignIds)
  const userIds = new Set<string>()
  for (const id of named.userIds) if (await hasActiveUser(tx, tenant.accountId, id)) userIds.add(id)
  return {
    senders: new Map(senders.map(({ id, email }) => [email.toLowerCase(), id])),
    campaignIds: new Set(campaigns.map(({ id }) => id)),
    userIds,
    isModel: (modelId) => tools.isModel?.(modelId) === true,
  }
}

function tagNote(index: number): ImportNote {
  return {
    path: `tags[${index}]`,
    message: `There are ${tagsMax} tags already, so the campaign does not have this one.`,
  }
}

async function missingPrompts(
  tx: Transaction,
  tenant: Tenant,
  steps: readonly Step[],
  { checkAi }: StartTools,
): Promise<ImportNote[]> {
  const uses = steps.flatMap(({ variants }, step) =>
    variants.flatMap(({ ai }, variant) =>
      ai === null ? [] : [{ ...ai, path: `steps[${step}].variants[${variant}].ai` }],
    ),
  )
  if (uses.length === 0) return []
  const missing = new Set((await checkAi(tx, tenant, uses)).missingPresetIds)
  return uses
    .filter(({ presetId }) => missing.has(presetId))
    .map(({ path }) => ({ path, message: 'The AI prompt does not exist here. Choose one before the start.' }))
}

/** Prefixes the paths of issues with the place of the document in the request. */
export function inDocument(issues: readonly ValidationIssue[]): ValidationIssue[] {
  return issues.map((issue) => ({ ...issue, path: `document.${issue.path}` }))
}

function throwInDocument(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error
  throw new AppError('VALIDATION_ERROR', error.message, { issues: inDocument(error.details?.issues ?? []) })
}
