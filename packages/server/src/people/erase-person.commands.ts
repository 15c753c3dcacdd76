import { AppError } from '@overture/contract/errors.ts'
import type { Transaction } from '../platform/db/database.ts'
import { transactionActor } from '../platform/events/actors.ts'
import type { RequestContext } from '../platform/http/route.ts'
import { newId } from '../platform/ids.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { rememberRecipients, upsertErasedSuppression } from '../suppressions/index.ts'
import {
  clearEventsOfLeads,
  deleteLeads,
  deleteMessagesOfLeads,
  deletePerson,
  hasMessageInFlight,
  listMessagesThatLeft,
  type PersonToErase,
} from './erasure.sql.ts'
import {
  clearColleagues,
  clearPersonMeetings,
  deletePersonContacts,
  deletePersonImportRows,
  deletePersonMail,
  deletePersonMemberships,
  deletePersonReveals,
  deletePersonSandboxMessages,
  deletePersonSignals,
  deletePersonTags,
  deletePersonVerifications,
  removeExports,
} from './erasure-elsewhere.sql.ts'
import { addRemoved, keptData, type RemovedRows } from './erasure-proof.ts'
import { insertErasure } from './erasures.sql.ts'
import { deleteFormerLeads, listFormerLeads } from './former-leads.sql.ts'
import { listSpellings } from './mentions.sql.ts'
import { requirePerson, type PeopleTools } from './people.commands.ts'
import { forgetJobKind } from './people.jobs.ts'
import { lockLeadsOfPerson } from './people.sql.ts'

/**
 * Erases a person. Only counts, the ledger and a hash on the suppression list stay. A job then searches all other texts, and seals
 * the proof. Source: docs/contract.md, "Inbox".
 */
export async function erasePerson(
  { app, tenant, now }: RequestContext,
  tx: Transaction,
  { id, tools }: { id: string; tools: PeopleTools },
) {
  const row = await requirePerson(tx, tenant, id)
  const leads = await lockLeadsOfPerson(tx, tenant, row.email)
  const hash = app.secrets.addressHash(row.email)
  const everyLead = [...leads, ...(await listFormerLeads(tx, tenant, hash))]
  const personIds = everyLead.flatMap((lead) => lead.personId ?? [])
  const erased = { personId: row.id, email: row.email, leadIds: everyLead.map((lead) => lead.id), now }
  await upsertErasedSuppression(tx, tenant, { ...erased, id: newId('sup'), hash })
  for (const lead of leads) {
    const stop = { campaignId: lead.campaignId, leadId: lead.id, status: 'stopped' as const, now }
    await tools.stopLead(tx, tenant, { ...stop, stoppedBy: { rule: 'erased' } })
  }
  if (await hasMessageInFlight(tx, tenant, erased)) {
    throw new AppError('CONFLICT', 'A message to this person is being sent. Try again in a minute.', {
      currentStatus: 'sending',
      allowedActions: [],
    })
  }
  const spellings = [row.email, ...(await listSpellings(tx, tenant, erased.leadIds))]
  const sentIds = await listMessagesThatLeft(tx, tenant, erased)
  const messages = sentIds.map((rfcMessageId) => ({ rfcMessageId, email: row.email }))
  await rememberRecipients(tx, tenant, { secrets: app.secrets, messages })
  const removed = await removeRows(tx, tenant, { erased, personIds, hash })
  const actor = transactionActor(tx)
  const erasureId = newId('ers')
  await insertErasure(tx, tenant, {
    id: erasureId,
    at: now,
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    subjectHash: hash,
    removed,
    kept: [...keptData],
  })
  const addresses = [...new Set(spellings)].map((spelling) => app.secrets.sealAddress(spelling))
  await enqueueJob(tx, { kind: forgetJobKind, tenant, payload: { erasureId, addresses }, runAt: now })
  return { id, deleted: true as const, erasureId }
}

/** Statements that find rows by the leads run before the leads are deleted. */
async function removeRows(
  tx: Transaction,
  tenant: Tenant,
  { erased, personIds, hash }: { erased: PersonToErase; personIds: readonly string[]; hash: Buffer },
): Promise<RemovedRows> {
  return addRemoved([
    await clearEventsOfLeads(tx, tenant, erased),
    await clearColleagues(tx, tenant, erased),
    await deletePersonImportRows(tx, tenant, erased),
    await deletePersonReveals(tx, tenant, personIds),
    await deletePersonSandboxMessages(tx, tenant, erased),
    await deletePersonSignals(tx, tenant, erased),
    await deletePersonVerifications(tx, tenant, erased),
    await deletePersonContacts(tx, tenant, hash),
    await deletePersonMemberships(tx, tenant, erased),
    await deletePersonTags(tx, tenant, erased),
    await clearPersonMeetings(tx, tenant, erased),
    await deletePersonMail(tx, tenant, erased),
    await removeExports(tx, tenant),
    ...(await deleteMessagesOfLeads(tx, tenant, erased)),
    await deleteLeads(tx, tenant, erased),
    await deletePerson(tx, tenant, erased),
    { former_leads: await deleteFormerLeads(tx, tenant, hash) },
  ])
}
