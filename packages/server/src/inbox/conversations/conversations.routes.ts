import type { z } from 'zod'
import { invalid, notFound } from '@overture/contract/errors.ts'
import { conversationReadOnlyFields } from '@overture/contract/inbox/conversation-input.ts'
import { conversationEndpoints, type BulkConversationsInput } from '@overture/contract/inbox/conversations.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import { assertOwnerExists, setInterest } from '../../campaigns/index.ts'
import {
  presentForwards,
  listThreadMessages,
  presentMessage,
  updateConversation,
  updateConversationOwner,
  updateSnooze,
} from '../../delivery/index.ts'
import type { Executor, Transaction } from '../../platform/db/database.ts'
import { isStorable } from '@overture/ground/text/storable-text.ts'
import { answerList, byTime } from '../../platform/http/paging.ts'
import { command, query } from '../../platform/http/route.ts'
import type { Route } from '../../platform/http/route.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { ConversationDrafts } from './conversation-drafts.ts'
import { conversationCounts, presentConversation, searchWords, snoozeIssue } from './conversation.ts'
import {
  type ConversationFilter,
  type ConversationRow,
  countConversations,
  countScheduled,
  findConversation,
  listConversationGroups,
  listConversations,
} from './conversations.sql.ts'

import { presentNote } from './notes.commands.ts'
import { listNotes } from './notes.sql.ts'

const byLastMessage = byTime((row: ConversationRow) => row.lastMessageAt)

/** The routes for threads with a reply. */
export function conversationsRoutes(drafts: Pick<ConversationDrafts, 'show'>): Route[] {
  return [
    query(conversationEndpoints.listConversations, async ({ app, tenant, now }, { query: listQuery }) => {
      // With row-level security the full-text index can't be used (docs/decisions/0004-wall-off-accounts-with-row-level-security.md).
      const db = app.db.beyondWall()
      const filter = toFilter(listQuery, now)
      return answerList(listQuery, {
        key: byLastMessage,
        list: (range) => listConversations(db, tenant, filter, range),
        count: (seen) => seen ?? countConversations(db, tenant, filter),
        present: (rows) => rows.map((row) => presentConversation(row, now)),
      })
    }),
    query(conversationEndpoints.getConversationCounts, async ({ app, tenant, now }) =>
      conversationCounts(await listConversationGroups(app.db, tenant, now), await countScheduled(app.db, tenant)),
    ),
    command(conversationEndpoints.bulkUpdateConversations, ({ tenant, now }, { body }, tx) =>
      updateMany(tx, tenant, { ...body, now }),
    ),
    query(conversationEndpoints.getConversation, async ({ app, tenant, now }, { params }) => {
      const row = await findConversation(app.db, tenant, params.id)
      if (row === null) throw notFound()
      return wholeConversation(app.db, tenant, { row, drafts, now })
    }),
    command(conversationEndpoints.updateConversation, async ({ tenant, now }, { params, body }, tx) => {
      const row = await findConversation(tx, tenant, params.id)
      if (row === null) throw notFound()
      const isWhole = [body.messages, body.notes, body.forwards, body.draft].some((part) => part !== undefined)
      const current = isWhole
        ? await wholeConversation(tx, tenant, { row, drafts, now })
        : presentConversation(row, now)
      const issues = changedReadOnly(current, body, conversationReadOnlyFields)
      if (issues.length > 0) throw invalid(...issues)
      await assertOwnerExists(tx, tenant, { ownerId: body.ownerId ?? null }, row)
      await update(tx, tenant, row, { ...body, now })
      return presentConversation((await findConversation(tx, tenant, row.id)) ?? row, now)
    }),
  ]
}

interface ConversationToShow {
  row: ConversationRow
  drafts: Pick<ConversationDrafts, 'show'>
  now: Date
}

/** A conversation with all that was said in it. */
async function wholeConversation(db: Executor, tenant: Tenant, { row, drafts, now }: ConversationToShow) {
  const messages = await listThreadMessages(db, tenant, row.id)
  const notes = await listNotes(db, tenant, row.id)
  const forwards = await presentForwards(db, tenant, row.id)
  const draft = await drafts.show(db, tenant, row.id)
  const parts = { messages: messages.map(presentMessage), notes: notes.map(presentNote), forwards, draft }
  return { ...presentConversation(row, now), ...parts }
}

type ListQuery = z.output<NonNullable<typeof conversationEndpoints.listConversations.query>>

function toFilter(listQuery: ListQuery, now: Date): ConversationFilter {
  const search = searchWords(listQuery.q)
  return {
    unread: listQuery.unread ?? null,
    awaiting: listQuery.awaiting ?? null,
    archived: listQuery.archived ?? false,
    snoozed: listQuery.snoozed ?? null,
    scheduled: listQuery.scheduled ?? null,
    interest: listQuery.interest ?? null,
    campaignId: listQuery.campaignId ?? null,
    sendingAccountId: listQuery.sendingAccountId ?? null,
    ownerId: listQuery.ownerId ?? null,
    tagId: listQuery.tagId ?? null,
    words: search?.words ?? null,
    people: search?.people ?? null,
    now,
  }
}

interface Change extends Omit<BulkConversationsInput, 'ids'> {
  /** The opposite of `read`, which has priority. */
  unread?: boolean | undefined
  snoozedUntil?: string | null | undefined
  now: Date
}

async function update(tx: Transaction, tenant: Tenant, row: ConversationRow, change: Change): Promise<void> {
  await updateConversation(tx, tenant, {
    id: row.id,
    unread: change.read === undefined ? (change.unread ?? null) : !change.read,
    archived: change.archived ?? null,
  })
  await snooze(tx, tenant, row, change)
  const { ownerId } = change
  if (ownerId !== undefined) await updateConversationOwner(tx, tenant, { id: row.id, ownerId })
  const { campaignId, leadId } = row
  const { interest = row.interest, now } = change
  if (interest !== row.interest && campaignId !== null && leadId !== null)
    await setInterest(tx, tenant, { campaignId, leadId, interest, source: 'person', now })
}

async function snooze(
  tx: Transaction,
  tenant: Tenant,
  row: ConversationRow,
  { snoozedUntil, now }: Change,
): Promise<void> {
  const until = snoozedUntil === null || snoozedUntil === undefined ? null : new Date(snoozedUntil)
  if (snoozedUntil === undefined || until?.getTime() === row.snoozedUntil?.getTime()) return
  const issue = until && snoozeIssue(until, now)
  if (issue !== null) throw invalid(issue)
  await updateSnooze(tx, tenant, { id: row.id, until })
}

async function updateMany(tx: Transaction, tenant: Tenant, { ids, ...change }: BulkConversationsInput & { now: Date }) {
  await assertOwnerExists(tx, tenant, { ownerId: change.ownerId ?? null }, { ownerId: null })
  const results = []
  for (const id of ids) {
    const row = isStorable(id) ? await findConversation(tx, tenant, id) : null
    if (row !== null) await update(tx, tenant, row, change)
    results.push(
      row === null
        ? { id, outcome: 'not_found' as const, message: 'Not found.' }
        : { id, outcome: 'updated' as const, message: null },
    )
  }
  return { results }
}
