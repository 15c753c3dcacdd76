import { mapLeaves } from '@overture/ground/paths/condition.ts'
import { dayMs } from '@overture/ground/time/spans.ts'
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

/** Creates a draft with the same content. Its leads are copied only with `withLeads`. */
export async function copyCampaign(
  tx: Transaction,
  tenant: Tenant,
  { id, name, withLeads, secrets, now }: CopyInput,
): Promise<Campaign> {
  const row = await findCampaignRow(tx, tenant, id)
  if (!row) throw notFound()
  const steps = (await listSteps(tx, tenant, [id])).get(id) ?? []
  const { settings, sendingAccountIds, entry, ownerId } = row
  const copy = {
    id: newId('cmp'),
    name: name ?? `${row.name.slice(0, nameLengthMax - suffix.length)}${suffix}`,
    schedule: withoutPast(row.schedule, now),
    // A copy begins without leads, so it follows no list.
    settings: { ...settings, followsListId: null },
    sendingAccountIds,
    entry,
    ownerId,
  }
  await insertCampaign(tx, tenant, { ...copy, now })
  await replaceSteps(tx, tenant, copy.id, copyOfSteps(steps))
  await appendEvents(tx, tenant, [
    { type: 'campaign.created', occurredAt: now, campaignId: copy.id, data: { name: copy.name } },
  ])
  if (withLeads) await beginCopyingLeads(tx, tenant, { fromId: id, toId: copy.id, secrets, now })
  return getCampaign(tx, tenant, copy.id)
}

/** Copies the steps with new ids and updates the references between them. */
function copyOfSteps(steps: readonly Step[]): Step[] {
  const ids = new Map(steps.map((step) => [step.id, newId('stp')]))
  const named = (target: string | null) => (target === null ? null : (ids.get(target) ?? target))
  return steps.map((step) => ({
    ...step,
    id: ids.get(step.id) ?? newId('stp'),
    then: named(step.then),
    variants: step.variants.map((variant) => ({ ...variant, id: newId('var') })),
    branches: step.branches.map((branch) => ({
      ...branch,
      id: newId('brn'),
      goTo: named(branch.goTo),
      when: mapLeaves(branch.when, (leaf) => ({
        ...leaf,
        ...(leaf.stepId === undefined ? {} : { stepId: ids.get(leaf.stepId) ?? leaf.stepId }),
        ...(leaf.task === undefined ? {} : { task: ids.get(leaf.task) ?? leaf.task }),
      })) as typeof branch.when,
    })),
  }))
}

// Drops dates that are over in every time zone. A day that is over in one zone may still run in another.
function withoutPast(schedule: CampaignRow['schedule'], now: Date): CampaignRow['schedule'] {
  const yesterday = new Date(now.getTime() - dayMs).toISOString().slice(0, 10)
  const isOver = (date: string | null) => date !== null && date < yesterday
  const { startDate, endDate } = schedule
  return { ...schedule, startDate: isOver(startDate) ? null : startDate, endDate: isOver(endDate) ? null : endDate }
}
