import { dayMs } from '../ground/time/spans.ts'
import type { Campaign, Step } from '@overture/contract/campaigns/campaigns.ts'
import { notFound } from '@overture/contract/errors.ts'
import type { Transaction } from '../platform/db/database.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { AddressHashes } from '../suppressions/index.ts'
import { getCampaign } from './campaigns.queries.ts'
import { findCampaignRow, insertCampaign, type CampaignRow } from './campaigns.sql.ts'
import { beginCopyingLeads } from './leads/copy-leads.commands.ts'
import { listSteps, replaceSteps } from './sequence/sequence.sql.ts'

const nameLengthMax = 200
const suffix = ' (copy)'

interface CopyInput {
  id: string
  name?: string | undefined
  withLeads: boolean
  secrets: AddressHashes
  now: Date
}

/** A draft that sends the same, to nobody yet. */
export async function copyCampaign(
  tx: Transaction,
  tenant: Tenant,
  { id, name, withLeads, secrets, now }: CopyInput,
): Promise<Campaign> {
  const row = await findCampaignRow(tx, tenant, id)
  if (!row) throw notFound()
  const steps = (await listSteps(tx, tenant, [id])).get(id) ?? []
  const { settings, sendingAccountIds, ownerId } = row
  const copy = {
    id: newId('cmp'),
    name: name ?? `${row.name.slice(0, nameLengthMax - suffix.length)}${suffix}`,
    schedule: withoutPast(row.schedule, now),
    settings,
    sendingAccountIds,
    ownerId,
  }
  await insertCampaign(tx, tenant, { ...copy, now })
  await replaceSteps(tx, tenant, copy.id, steps.map(copyOfStep))
  await appendEvents(tx, tenant, [
    { type: 'campaign.created', occurredAt: now, campaignId: copy.id, data: { name: copy.name } },
  ])
  if (withLeads) await beginCopyingLeads(tx, tenant, { fromId: id, toId: copy.id, secrets, now })
  return getCampaign(tx, tenant, copy.id)
}

function copyOfStep(step: Step): Step {
  return { ...step, id: newId('stp'), variants: step.variants.map((variant) => ({ ...variant, id: newId('var') })) }
}

// A day that has begun somewhere is not over everywhere: only what is over in every zone is left out.
function withoutPast(schedule: CampaignRow['schedule'], now: Date): CampaignRow['schedule'] {
  const yesterday = new Date(now.getTime() - dayMs).toISOString().slice(0, 10)
  const isOver = (date: string | null) => date !== null && date < yesterday
  const { startDate, endDate } = schedule
  return { ...schedule, startDate: isOver(startDate) ? null : startDate, endDate: isOver(endDate) ? null : endDate }
}
