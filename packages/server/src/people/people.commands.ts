import { copyProfile } from '@overture/ground/lead-profile.ts'
import { invalid, notFound } from '@overture/contract/errors.ts'
import type { Activity } from '@overture/contract/events/events-endpoints.ts'
import type { Person, UpdatePersonInput } from '@overture/contract/people/people.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import type { App } from '../platform/app.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import { toEventActor, publicEventData, type StoredEvent } from '../platform/events/feed.sql.ts'
import type { RequestContext } from '../platform/http/route.ts'
import type { Tenant } from '../platform/tenant.ts'
import { findSuppressed } from '../suppressions/index.ts'
import { exportMessages, exportRows, listPersonReveals } from './export.sql.ts'
import { listFormerLeads } from './former-leads.sql.ts'
import { findPerson, listEventsOfLeads, listLeadsOfPerson, type PersonRow } from './people.sql.ts'

/** The functions of campaigns that people need. Campaigns import people, so the composition root passes them in (campaigns/index.ts). */
export interface PeopleTools {
  updateLead(
    tx: Transaction,
    tenant: Tenant,
    change: { campaignId: string; leadId: string; input: Partial<UpdatePersonInput>; now: Date },
  ): Promise<unknown>
  stopLead(
    tx: Transaction,
    tenant: Tenant,
    stop: { campaignId: string; leadId: string; status: 'stopped'; stoppedBy: { rule: string }; now: Date },
  ): Promise<unknown>
  /** The revealed value in clear text. Null if the lead finder found nothing or the key was deleted. */
  openReveal(tenant: Tenant, reveal: { personId: string; field: string; value: Buffer | null }): string | null
}

const historyMax = 1_000
const exportedEventsMax = 100_000
const readOnlyFields = ['id', 'email', 'suppressed', 'campaigns', 'lastContactedAt', 'createdAt', 'updatedAt']

export async function getPerson({ app, tenant }: RequestContext, id: string) {
  const row = await requirePerson(app.db, tenant, id)
  const ids = row.campaigns.map((membership) => membership.leadId)
  const history = await listEventsOfLeads(app.db, tenant, { ids, limit: historyMax })
  return { ...(await presentOne(app, app.db, tenant, row)), history: history.map(toActivity) }
}

/** Changes the fields in every campaign where the person is a lead. */
export async function updatePerson(
  { app, tenant, now }: RequestContext,
  tx: Transaction,
  change: { id: string; input: UpdatePersonInput; tools: PeopleTools },
): Promise<Person> {
  const row = await requirePerson(tx, tenant, change.id)
  const issues = changedReadOnly(await presentOne(app, tx, tenant, row), change.input, readOnlyFields)
  if (issues.length > 0) throw invalid(...issues)
  const {
    id: _id,
    email: _email,
    suppressed: _suppressed,
    campaigns: _campaigns,
    history: _history,
    ...rest
  } = change.input
  const { lastContactedAt: _contacted, createdAt: _created, updatedAt: _updated, ...input } = rest
  for (const { campaignId, leadId } of row.campaigns)
    await change.tools.updateLead(tx, tenant, { campaignId, leadId, input, now })
  return presentOne(app, tx, tenant, await requirePerson(tx, tenant, row.id))
}

/** Exports everything stored about the person, from all leads, including those of deleted campaigns. */
export async function exportPerson(
  { app, tenant, now }: RequestContext,
  { id, tools }: { id: string; tools: Pick<PeopleTools, 'openReveal'> },
) {
  const row = await requirePerson(app.db, tenant, id)
  const hash = app.secrets.addressHash(row.email)
  const leads = [
    ...(await listLeadsOfPerson(app.db, tenant, row.email)),
    ...(await listFormerLeads(app.db, tenant, hash)),
  ]
  const leadIds = leads.map((lead) => lead.id)
  const personIds = leads.flatMap((lead) => lead.personId ?? [])
  const whose = { email: row.email, hash, leadIds, personIds }
  const rows = await exportRows(app.db, tenant, whose)
  const reveals = await listPersonReveals(app.db, tenant, personIds)
  const history = await listEventsOfLeads(app.db, tenant, { ids: leadIds, limit: exportedEventsMax })
  return {
    exportedAt: now.toISOString(),
    person: await presentOne(app, app.db, tenant, row),
    leads: rows.leads.map(loose),
    messages: (await exportMessages(app.db, tenant, whose)).map(loose),
    meetings: rows.meetings.map(loose),
    suppressions: rows.suppressions.map(loose),
    drafts: rows.drafts.map(loose),
    decisions: rows.decisions.map(loose),
    tasks: rows.tasks.map(loose),
    generations: rows.generations.map(loose),
    reveals: reveals.map((reveal) => loose({ ...reveal, value: tools.openReveal(tenant, reveal) })),
    importRows: rows.importRows.map(loose),
    signals: rows.signals.map(loose),
    addressChecks: rows.addressChecks.map(loose),
    notes: rows.notes.map(loose),
    lists: rows.lists.map(loose),
    tags: rows.tags.map(loose),
    replyDrafts: rows.replyDrafts.map(loose),
    history: history.map(toActivity),
  }
}

/** Presents people together with their suppression state, at the tenant's own time. */
export async function presentPeople(
  { secrets }: Pick<App, 'secrets'>,
  db: Executor,
  tenant: Tenant,
  rows: readonly PersonRow[],
): Promise<Person[]> {
  const suppressed = await findSuppressed(db, tenant, { secrets, emails: rows.map((row) => row.email) })
  return rows.map((row) => presentPerson(row, suppressed.has(row.email)))
}

async function presentOne(app: Pick<App, 'secrets'>, db: Executor, tenant: Tenant, row: PersonRow): Promise<Person> {
  const [person] = await presentPeople(app, db, tenant, [row])
  return person!
}

function presentPerson(row: PersonRow, suppressed: boolean): Person {
  const contacted = row.campaigns.flatMap((membership) => membership.lastContactedAt ?? [])
  return {
    id: row.id,
    email: row.email,
    ...copyProfile(row),
    customVariables: row.customVariables ?? {},
    suppressed,
    tagIds: row.tagIds,
    campaigns: row.campaigns,
    lastContactedAt: contacted.toSorted().at(-1) ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export async function requirePerson(db: Executor, tenant: Tenant, id: string): Promise<PersonRow> {
  const row = await findPerson(db, tenant, id)
  if (!row) throw notFound()
  return row
}

function toActivity(event: StoredEvent): Activity {
  const { id, campaignId, leadId, leadEmail, messageId, stepId, sendingAccountId } = event
  return {
    id,
    type: event.type as Activity['type'],
    occurredAt: event.occurredAt.toISOString(),
    campaignId,
    leadId,
    leadEmail,
    messageId,
    stepId,
    sendingAccountId,
    actor: toEventActor(event),
    data: publicEventData(event),
  }
}

function loose(row: object): Record<string, unknown> {
  return { ...row }
}
