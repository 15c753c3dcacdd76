import type { ExportedCampaign, ExportRow } from '@overture/contract/exports/export-rows.ts'
import type { ExportTable } from '@overture/contract/exports/exports.ts'
import type { ListMember } from '@overture/contract/lists/lists.ts'
import {
  type CampaignRow,
  listCampaignDocuments,
  listCampaignRows,
  listLeadRows,
  presentLead,
  readSurroundings,
} from '../campaigns/index.ts'
import { listMessagePage, presentMessage } from '../delivery/index.ts'
import { listConversations, presentConversation } from '../inbox/index.ts'
import { listLists, listMembers, presentLists, presentMember } from '../lists/index.ts'
import { listMeetings, presentMeeting } from '../meetings/index.ts'
import { listPeople, presentPeople } from '../people/index.ts'
import type { App } from '../platform/app.ts'
import type { Executor } from '../platform/db/database.ts'
import { type FeedPosition, listEvents, publicEvent } from '../platform/events/feed.sql.ts'
import type { RowRange, TimeAndId } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import { listSendersPage, presentSenders } from '../sending-accounts/index.ts'
import { listSuppressions, toSuppression } from '../suppressions/index.ts'
import { listTags, presentTag } from '../tags/index.ts'
import { listTasks, presentTask } from '../tasks/index.ts'
import { listTemplates, presentTemplate } from '../templates/index.ts'

const rowsAtOnce = 500
const campaignsAtOnce = 50

interface SourceContext {
  app: Pick<App, 'secrets'>
  /** Sees the rows of one moment, so that rows that move in the order of their list are read once. */
  db: Executor
  tenant: Tenant
  now: Date
}

type Pages<Row> = AsyncGenerator<readonly Row[]>

/** The rows of each table as the API shows them, page by page. */
export const exportSources: { [Table in ExportTable]: (context: SourceContext) => Pages<ExportRow<Table>> } = {
  campaigns: ({ db, tenant }) =>
    inPages<ExportedCampaign, string>((range) => listCampaignDocuments(db, tenant, range), lastId, campaignsAtOnce),
  templates: ({ db, tenant }) =>
    presented((range) => listTemplates(db, tenant, { q: null, tag: null }, range), lastId, presentTemplate),
  async *sending_accounts({ db, tenant, now }) {
    const filter = { status: null, provider: null, pattern: null, tagId: null }
    for await (const rows of inPages((range: RowRange<string>) => listSendersPage(db, tenant, filter, range), lastId))
      yield await presentSenders(db, tenant, rows, now)
  },
  tags: ({ db, tenant }) =>
    presented(
      (range: RowRange<{ nameKey: string }>) => listTags(db, tenant, range),
      ({ nameKey }) => ({ nameKey }),
      presentTag,
    ),
  async *lists({ db, tenant }) {
    for await (const rows of inPages((range: RowRange<string>) => listLists(db, tenant, null, range), lastId))
      yield await presentLists(db, tenant, rows)
  },
  list_members: listEveryMember,
  async *people({ app, db, tenant }) {
    const filter = { q: null, email: null, campaignId: null, status: null, interest: null, tagId: null }
    for await (const rows of inPages((range: RowRange<string>) => listPeople(db, tenant, filter, range), lastId))
      yield await presentPeople(app, db, tenant, rows)
  },
  leads: listEveryLead,
  suppressions: ({ db, tenant }) =>
    presented(
      (range) => listSuppressions(db, tenant, { pattern: null, source: null, list: null }, range),
      lastId,
      toSuppression,
    ),
  conversations: listEveryConversation,
  messages: ({ db, tenant }) =>
    presented(
      (range) => listMessagePage(db, tenant, range),
      lastId,
      (row) => ({
        ...presentMessage(row),
        campaignId: row.campaignId,
        leadId: row.leadId,
        sendingAccountId: row.sendingAccountId,
        createdAt: row.queuedAt.toISOString(),
      }),
    ),
  meetings({ db, tenant }) {
    const anyLead = { campaignId: null, leadId: null, tagId: null }
    const filter = { status: null, source: null, from: null, to: null, ...anyLead }
    return presented(
      (range: RowRange<TimeAndId>) => listMeetings(db, tenant, filter, range),
      ({ startAt, id }) => ({ at: startAt, id }),
      presentMeeting,
    )
  },
  tasks({ db, tenant }) {
    const anyLead = { campaignId: null, leadId: null, tagId: null }
    const filter = { status: null, assigneeId: null, channel: null, dueBefore: null, ...anyLead }
    return presented(
      (range: RowRange<TimeAndId>) => listTasks(db, tenant, filter, range),
      ({ dueAt, id }) => ({ at: dueAt, id }),
      presentTask,
    )
  },
  // Backwards, the log needs no wait for transactions that still run: the snapshot has all events that it can see.
  events: ({ db, tenant }) =>
    presented(
      ({ after, limit }: RowRange<FeedPosition>) =>
        listEvents(db, tenant, { order: 'desc', limit, ...(after !== null && { after }) }),
      ({ txId, position }) => ({ txId, position }),
      (row) => publicEvent(row) as ExportRow<'events'>,
    ),
}

function lastId({ id }: { id: string }): string {
  return id
}

/** Reads until a page is empty. The next page is read while the file gets the rows of this one. */
async function* inPages<Row, Key>(
  list: (range: RowRange<Key>) => Promise<Row[]>,
  key: (row: Row) => Key,
  limit = rowsAtOnce,
): Pages<Row> {
  let rows = await list({ after: null, offset: 0, limit })
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    const next = list({ after: key(last), offset: 0, limit })
    // A file that ends early never waits for the page. Otherwise its error is thrown below.
    next.catch(() => undefined)
    yield rows
    rows = await next
  }
}

async function* presented<Row, Key, Item>(
  list: (range: RowRange<Key>) => Promise<Row[]>,
  key: (row: Row) => Key,
  present: (row: Row) => Item,
): Pages<Item> {
  for await (const rows of inPages(list, key)) yield rows.map((row) => present(row))
}

async function* listEveryMember({ db, tenant }: SourceContext): Pages<ListMember & { listId: string }> {
  for await (const lists of inPages((range: RowRange<string>) => listLists(db, tenant, null, range), lastId))
    for (const { id: listId } of lists)
      yield* presented(
        (range: RowRange<string>) => listMembers(db, tenant, { listId, from: '', to: null }, range),
        ({ email }) => email,
        (row) => ({ listId, ...presentMember(row) }),
      )
}

async function* listEveryLead({ db, tenant, now }: SourceContext): Pages<ExportRow<'leads'>> {
  const campaigns = (range: RowRange<string>) => listCampaignRows(db, tenant, {}, range)
  for await (const page of inPages<CampaignRow, string>(campaigns, lastId, campaignsAtOnce))
    for (const campaign of page) {
      const around = await readSurroundings(campaign, now)
      yield* presented(
        (range: RowRange<string>) => listLeadRows(db, tenant, { campaignId: campaign.id, now }, range),
        lastId,
        (row) => presentLead(row, around),
      )
    }
}

async function* listEveryConversation({ db, tenant, now }: SourceContext): Pages<ExportRow<'conversations'>> {
  const open = {
    unread: null,
    awaiting: null,
    snoozed: null,
    scheduled: null,
    interest: null,
    campaignId: null,
    sendingAccountId: null,
    ownerId: null,
    tagId: null,
    words: null,
    people: null,
    now,
  }
  for (const archived of [false, true])
    yield* presented(
      (range: RowRange<TimeAndId>) => listConversations(db, tenant, { ...open, archived }, range),
      ({ lastMessageAt, id }) => ({ at: lastMessageAt, id }),
      (row) => presentConversation(row, now),
    )
}
