import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import type { Activity } from '@overture/contract/events/events-endpoints.ts'
import type { Person, UpdatePersonInput } from '@overture/contract/people/people.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import { eventDataOf, type StoredEvent } from '../platform/events/feed.sql.ts'
import type { RequestContext } from '../platform/http/route.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import {
  clearEventsOfLeads,
  deleteLeads,
  deleteMessagesOfLeads,
  deletePerson,
  hasMessageInFlight,
  upsertErasedSuppression,
} from './erasure.sql.ts'
import { exportRows, findPerson, listEventsOfLeads, lockLeadsOfPerson, type PersonRow } from './people.sql.ts'

/** What people need of campaigns, given by the composition since campaigns know people (campaigns/index.ts). */
export interface PeopleDeps {
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
}

const historyMax = 1_000
const exportedEventsMax = 100_000
const readOnlyFields = ['id', 'email', 'suppressed', 'campaigns', 'lastContactedAt', 'createdAt', 'updatedAt']

export async function getPerson({ app, tenant }: RequestContext, id: string) {
  const row = await requirePerson(app.db, tenant, id)
  const ids = row.campaigns.map((membership) => membership.leadId)
  const history = await listEventsOfLeads(app.db, tenant, { ids, limit: historyMax })
  return { ...presentPerson(row), history: history.map(activityOf) }
}

/** The fields change in every campaign where the person is a lead. */
export async function updatePerson(
  { tenant, now }: RequestContext,
  tx: Transaction,
  change: { id: string; input: UpdatePersonInput; deps: PeopleDeps },
): Promise<Person> {
  const row = await requirePerson(tx, tenant, change.id)
  const issues = changedReadOnly(presentPerson(row), change.input, readOnlyFields)
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
    await change.deps.updateLead(tx, tenant, { campaignId, leadId, input, now })
  return presentPerson(await requirePerson(tx, tenant, row.id))
}

/** Erases a person; what stays is counts, the ledger and a hash on the suppression list. Source: docs/contract.md, "Inbox". */
export async function erasePerson(
  { tenant, now }: RequestContext,
  tx: Transaction,
  erase: { id: string; deps: PeopleDeps },
) {
  const row = await requirePerson(tx, tenant, erase.id)
  const leads = await lockLeadsOfPerson(tx, tenant, row.email)
  const erased = { personId: row.id, email: row.email, leadIds: leads.map((lead) => lead.id), now }
  await upsertErasedSuppression(tx, tenant, { ...erased, id: newId('sup') })
  for (const { campaignId, id: leadId } of leads) {
    await erase.deps.stopLead(tx, tenant, { campaignId, leadId, status: 'stopped', stoppedBy: { rule: 'erased' }, now })
  }
  if (await hasMessageInFlight(tx, tenant, erased)) {
    throw new AppError('CONFLICT', 'A message to this person is being sent at this moment. Try again in a minute.', {
      currentStatus: 'sending',
      allowedActions: [],
    })
  }
  await clearEventsOfLeads(tx, tenant, erased)
  await deleteMessagesOfLeads(tx, tenant, erased)
  await deleteLeads(tx, tenant, erased)
  await deletePerson(tx, tenant, erased)
  return { id: erase.id, deleted: true as const }
}

export async function exportPerson({ app, tenant, now }: RequestContext, id: string) {
  const row = await requirePerson(app.db, tenant, id)
  const leadIds = row.campaigns.map((membership) => membership.leadId)
  const rows = await exportRows(app.db, tenant, { email: row.email, leadIds })
  const history = await listEventsOfLeads(app.db, tenant, { ids: leadIds, limit: exportedEventsMax })
  return {
    exportedAt: now.toISOString(),
    person: presentPerson(row),
    leads: rows.leads.map(loose),
    messages: rows.messages.map(loose),
    meetings: rows.meetings.map(loose),
    suppressions: rows.suppressions.map(loose),
    history: history.map(activityOf),
  }
}

export function presentPerson(row: PersonRow): Person {
  const contacted = row.campaigns.flatMap((membership) => membership.lastContactedAt ?? [])
  return {
    id: row.id,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    jobTitle: row.jobTitle,
    company: row.company,
    companyDomain: row.companyDomain,
    linkedinUrl: row.linkedinUrl,
    mobile: row.mobile,
    country: row.country,
    city: row.city,
    timezone: row.timezone,
    personId: row.personId,
    customVariables: row.customVariables ?? {},
    suppressed: row.suppressed,
    campaigns: row.campaigns,
    lastContactedAt: contacted.toSorted().at(-1) ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

async function requirePerson(db: Executor, tenant: Tenant, id: string): Promise<PersonRow> {
  const row = await findPerson(db, tenant, id)
  if (!row) throw notFound()
  return row
}

function activityOf(event: StoredEvent): Activity {
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
    data: eventDataOf(event),
  }
}

function loose(row: object): Record<string, unknown> {
  return { ...row }
}
