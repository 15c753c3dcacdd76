import type { Entry } from '@overture/contract/campaigns/conditions.ts'
import type { Settings, Step } from '@overture/contract/campaigns/campaigns.ts'
import { sameValue } from '@overture/contract/read-only.ts'
import { invalid, notFound, type Blocker } from '@overture/contract/errors.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { type CampaignRow, listCampaignsById, listEntries } from './campaigns.sql.ts'
import { entryIssues, listHandOvers, needsEntry } from './sequence/entry.ts'
import { unreachableEntry } from './sequence/reachable.ts'
import { listSteps } from './sequence/sequence.sql.ts'

interface Change {
  /** Null for a new campaign, which has no id yet. */
  campaignId: string | null
  before: { entry: Entry | null; steps: readonly Step[] }
  after: { entry: Entry | null; steps: readonly Step[] }
}

/**
 * Checks that the campaigns named by the entry and the branches exist, that the entry's condition is valid, and that the
 * campaign does not name itself.
 */
export async function assertHandOvers(
  db: Executor,
  tenant: Tenant,
  { campaignId, before, after }: Change,
): Promise<void> {
  const targets = listHandOvers(after.steps)
  const own = targets.filter((target) => target.campaignId === campaignId)
  if (own.length > 0)
    throw invalid(...own.map(({ path }) => ({ path, rule: 'self', message: "A campaign can't hand over to itself." })))
  if (after.entry === null && needsEntry(after.steps))
    throw invalid({
      path: 'entry',
      rule: 'required',
      message: 'The first message can wait, or continue a thread, only in a campaign that takes over people.',
    })
  const sources = entrySources(after.entry)
  // A campaign that was deleted meanwhile may be sent back unchanged.
  const known = new Set([
    ...entrySources(before.entry),
    ...listHandOvers(before.steps).map((target) => target.campaignId),
  ])
  const named = [...new Set([...sources, ...targets.map((target) => target.campaignId)])].filter((id) => !known.has(id))
  const found = await listCampaignsById(db, tenant, named)
  if (found.length < named.length) throw notFound()
  if (after.entry === null) return
  const steps = sources.length === 0 ? [] : [...(await listSteps(db, tenant, sources)).values()].flat()
  const issues = entryIssues(after.entry, { campaignId, steps })
  if (issues.length > 0) throw invalid(...issues)
}

function entrySources(entry: Entry | null): string[] {
  return entry === null || entry.from === 'any' ? [] : entry.from
}

/** Branches that hand over to a campaign that is deleted or was never started. */
export async function findUnreadyTargets(db: Executor, tenant: Tenant, steps: readonly Step[]): Promise<Blocker[]> {
  const targets = listHandOvers(steps)
  const rows = await listCampaignsById(db, tenant, [...new Set(targets.map((target) => target.campaignId))])
  return targets.flatMap(({ campaignId, step, label }) => {
    const row = rows.find(({ id }) => id === campaignId)
    if (row !== undefined && row.status !== 'draft') return []
    const why = row === undefined ? 'is deleted' : 'was never started'
    const message = `Branch ${JSON.stringify(label)} of step ${step.position} hands over to campaign ${campaignId}, which ${why}.`
    return [{ code: 'target_not_ready', message, ref: campaignId }]
  })
}

/** Reports an entry that no lead can ever meet, given what the source campaigns track. */
export async function findUnreachableEntry(db: Executor, tenant: Tenant, entry: Entry | null): Promise<Blocker[]> {
  const sources = entrySources(entry)
  if (entry === null || sources.length === 0) return []
  const rows = await listCampaignsById(db, tenant, sources)
  return unreachableEntry(
    entry,
    rows.map((row) => row.settings),
  )
}

/** Campaigns that no lead could enter any more if this campaign had these settings. */
export async function findCutOffEntries(
  db: Executor,
  tenant: Tenant,
  row: CampaignRow,
  settings: Settings,
): Promise<Blocker[]> {
  if (row.status === 'draft' || sameValue(row.settings, settings)) return []
  const entries = (await listEntries(db, tenant, [row.id])).filter(({ from }) => from !== 'any')
  const rows = await listCampaignsById(db, tenant, [...new Set(entries.flatMap(entrySources))])
  return entries.flatMap((entry) => {
    const sources = rows.filter(({ id }) => entrySources(entry).includes(id))
    const before = sources.map((source) => source.settings)
    const after = sources.map((source) => (source.id === row.id ? settings : source.settings))
    if (unreachableEntry(entry, before).length > 0) return []
    return unreachableEntry(entry, after).map(({ code, message }) => {
      return { code, message: `Campaign ${entry.id} takes over leads of this one. ${message}`, ref: entry.id }
    })
  })
}
