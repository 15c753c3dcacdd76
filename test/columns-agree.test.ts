import { replyDraftStatuses } from '../packages/contract/src/inbox/reply-drafts.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { planIds, type LedgerEntryType } from '@overture/contract/accounts/credits.ts'
import { draftStatus } from '@overture/contract/ai/approvals.ts'
import { generationRecord } from '@overture/contract/ai/ai.ts'
import { campaignStatus, step, waitUnit } from '@overture/contract/campaigns/campaigns.ts'
import { addLeadsInput } from '@overture/contract/campaigns/lead-fields.ts'
import { importJob } from '@overture/contract/campaigns/imports.ts'
import { lawfulBases } from '@overture/contract/campaigns/lead-fields.ts'
import { blockedReasons, interest, leadStatus } from '@overture/contract/campaigns/leads.ts'
import { environment } from '@overture/contract/common.ts'
import { message, messageKind, messageStatus } from '@overture/contract/delivery/delivery.ts'
import { exportFormats, exportStatuses, exportTables } from '@overture/contract/exports/exports.ts'
import { revealField } from '@overture/contract/lead-finder/lead-finder.ts'
import { meetingSource, meetingStatus } from '@overture/contract/meetings/meetings.ts'
import { sandboxMessage } from '@overture/contract/sandbox/sandbox.ts'
import { oauthProvider, senderProvider, senderStatus } from '@overture/contract/sending-accounts/sending-accounts.ts'
import { tenantAccess } from '@overture/contract/sending-accounts/tenant-connections.ts'
import type { DeliveryRow } from '@overture/server/reports/report.ts'
import { reportIntervals, reportRunStatuses, reportSkipReasons } from '@overture/contract/reports/reports.ts'
import { suppressionImport } from '@overture/contract/suppressions/suppression-lists.ts'
import { suppressionSource } from '@overture/contract/suppressions/suppressions.ts'
import type { AuditActor, AuditOutcome } from '@overture/contract/team/audit.ts'
import { role, signInMethod, userStatus } from '@overture/contract/team/users.ts'
import {
  placementProblems,
  placementRepeats,
  placements,
  placementStatuses,
  repeatEnds,
} from '@overture/contract/placement/placement-tests.ts'
import { seedStatuses } from '@overture/contract/placement/seed-mailboxes.ts'
import { dmarcPolicies } from '@overture/contract/deliverability/deliverability.ts'
import { recipientProviders } from '@overture/contract/vocabularies.ts'
import { verification, verificationResult, verificationSources } from '@overture/contract/verification/verification.ts'
import { webhookDelivery, webhookStatus } from '@overture/contract/webhooks/webhooks.ts'
import { taskChannels, taskOutcomes, taskStatuses } from '@overture/contract/vocabularies.ts'
import { isFinishedReason } from '@overture/ground/lead-statuses.ts'
import type { Exchange } from '@overture/planner/contact-policy.ts'
import type { ClaimedRow } from '@overture/server/delivery/write/compose.sql.ts'
import type { Dataset } from '@overture/server/lead-finder/records/dataset.ts'
import type { NoticeKind } from '@overture/server/meetings/notices/notices.ts'
import type { NewJob } from '@overture/server/platform/jobs/job.ts'
import type { LinkKind } from '@overture/server/team/links.sql.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'

/** The values that each column may contain, from the contract. Values that the contract lacks come from the type that the code writes. */
const actorTypes = wordsOf<AuditActor['type']>({
  user: true,
  key: true,
  operator: true,
  recipient: true,
  system: true,
})

const columns: Record<string, readonly string[]> = {
  'accounts.plan': planIds,
  'audit_entries.actor_type': actorTypes,
  'audit_entries.outcome': wordsOf<AuditOutcome>({ success: true, denied: true }),
  'campaigns.hold_reason': blockedReasons,
  'campaigns.status': campaignStatus.options,
  'claims.kind': wordsOf<ClaimedRow['kind']>({ campaign: true, manual: true, notification: true, test: true }),
  'events.actor_type': actorTypes,
  'reply_drafts.status': replyDraftStatuses.filter((status) => status !== 'outdated'),
  'conversation_notes.author_type': ['user', 'key'],
  'forwards.author_type': ['user', 'key'],
  'credit_ledger.type': wordsOf<LedgerEntryType>({
    grant: true,
    purchase: true,
    charge: true,
    refund: true,
    expiry: true,
  }),
  'exports.format': exportFormats,
  'exports.status': exportStatuses,
  'report_deliveries.status': wordsOf<DeliveryRow['status']>({ claimed: true, sent: true, skipped: true }),
  'reports.every': reportIntervals,
  'report_runs.status': reportRunStatuses,
  'report_deliveries.reason': reportSkipReasons,
  'export_files.content': exportTables,
  'exchanges.direction': wordsOf<Exchange['direction']>({ inbound: true, outbound: true }),
  'finder_datasets.dataset': wordsOf<Dataset>({ demo: true, live: true }),
  'finder_reveals.field': revealField.options,
  'generations.kind': generationRecord.shape.kind.options,
  'imports.on_duplicate': addLeadsInput.shape.onDuplicate.unwrap().options,
  'imports.mode': suppressionImport.shape.mode.options,
  // An unfinished or abandoned upload is not an import for the API yet.
  'imports.status': ['uploading', 'abandoned', ...importJob.shape.status.options],
  'jobs.clock': wordsOf<NonNullable<NewJob['clock']>>({ tenant: true, real: true }),
  'lead_profiles.interest': interest.options,
  'lead_profiles.interest_source': wordsOf<'person' | 'machine' | 'system'>({
    person: true,
    machine: true,
    system: true,
  }),
  'lead_profiles.lawful_basis': lawfulBases,
  'lead_profiles.machine_interest': interest.options,
  'lead_progress.blocked_reason': blockedReasons,
  'lead_progress.status': leadStatus.options,
  'lead_progress.status_before': leadStatus.options,
  'meeting_notices.kind': wordsOf<NoticeKind>({
    confirmation: true,
    booked: true,
    rescheduled: true,
    canceled: true,
    reminder: true,
  }),
  'meetings.source': meetingSource.options,
  'meetings.status': meetingStatus.options,
  'message_heads.direction': message.shape.direction.options,
  // Notices to a customer and tests belong to no conversation, so the contract has no such kinds.
  'message_heads.kind': [...messageKind.options, 'notification', 'test'],
  // The status `sending` is derived from the claim and not stored.
  'message_heads.status': messageStatus.options.filter((status) => status !== 'sending'),
  'sandbox_messages.direction': sandboxMessage.shape.direction.options,
  'sending_accounts.provider': senderProvider.options,
  'sending_accounts.status': senderStatus.options,
  'step_drafts.status': draftStatus.options,
  'sandbox_clocks.tasks_outcome': taskOutcomes,
  'tasks.channel': taskChannels,
  'tasks.outcome': taskOutcomes,
  'tasks.status': taskStatuses,
  'steps.type': step.shape.type.options,
  'steps.variant_selection': step.shape.variantSelection.options,
  'steps.wait_unit': waitUnit.options,
  'suppressions.source': suppressionSource.options,
  'sessions.method': signInMethod.options,
  'user_links.kind': wordsOf<LinkKind>({ setup: true, invitation: true, password: true }),
  'user_links.role': role.options,
  'tenant_connections.access': tenantAccess.options,
  'tenant_connections.provider': oauthProvider.options,
  'users.role': role.options,
  'users.status': userStatus.options,
  'seed_mailboxes.status': seedStatuses,
  'placement_tests.status': placementStatuses,
  'placement_tests.repeat': placementRepeats,
  'placement_tests.repeat_ended_because': repeatEnds,
  'placement_results.placement': placements,
  'placement_results.problem': placementProblems,
  'dmarc_reports.policy': dmarcPolicies,
  'dmarc_sources.disposition': dmarcPolicies,
  'recipient_domains.provider': recipientProviders,
  'verifications.status': verification.shape.status.options,
  'verification_addresses.result': verificationResult.options,
  'verification_addresses.source': verificationSources,
  'address_checks.result': verificationResult.options,
  'address_checks.source': verificationSources,
  'webhook_deliveries.status': webhookDelivery.shape.status.options,
  'webhooks.status': webhookStatus.options,
}

function wordsOf<Word extends string>(words: Record<Word, true>): string[] {
  return Object.keys(words)
}

interface Column {
  name: string
  column: string
  definition: string | null
}

let database: TestDatabase
let stored: Column[]
beforeAll(async () => {
  database = await createTestDatabase()
  stored = await database.db.query<Column>(
    `select c.relname || '.' || a.attname as name, a.attname as column, pg_get_constraintdef(k.oid) as definition
     from pg_attribute a
     join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and not c.relispartition
       and c.relnamespace = 'public'::regnamespace
     left join pg_constraint k on k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
       and pg_get_constraintdef(k.oid) ~ 'ANY \\(ARRAY\\['
     where a.attnum > 0 and not a.attisdropped and a.atttypid in ('text'::regtype, 'varchar'::regtype)`,
  )
})
afterAll(() => database.drop())

const wordsIn = (definition: string | null) =>
  [...(definition ?? '').matchAll(/'([^']+)'::text/g)].map(([, word = '']) => word).toSorted()

describe('the database accepts exactly the values of the contract', () => {
  test('as environment, in every table', () => {
    const environments = stored.filter(({ column }) => column === 'environment')
    expect(environments.length).toBeGreaterThan(30)
    const words = [...environment.options].toSorted()
    expect(environments.filter(({ definition }) => wordsIn(definition).join() !== words.join())).toEqual([])
  })

  test.each(Object.entries(columns))('in %s', (name, words) => {
    const definitions = stored.filter((column) => column.name === name).map(({ definition }) => wordsIn(definition))
    expect(definitions).toEqual([[...words].toSorted()])
  })

  test('every column with fixed values is checked here', () => {
    const worded = stored.filter(({ column, definition }) => definition !== null || column === 'status')
    const others = worded.filter(({ column, name }) => column !== 'environment' && columns[name] === undefined)
    expect(others).toEqual([])
  })
})

test('the index of open leads leaves out exactly the leads that keep no campaign open', async () => {
  const [index] = await database.db.query<{ definition: string }>(
    `select indexdef as definition from pg_indexes where indexname = 'lead_progress_open'`,
  )
  const leftOut = index?.definition.slice(index.definition.indexOf('<> ALL')) ?? ''
  const words = Array.from(leftOut.matchAll(/'(\w+)'/g), ([, word = '']) => word)
  expect(words.toSorted()).toEqual(blockedReasons.filter(isFinishedReason).toSorted())
})
