import { notFound } from '@overture/contract/errors.ts'
import {
  placementTestEndpoints as api,
  type PlacementResult,
  type PlacementTest,
} from '@overture/contract/placement/placement-tests.ts'
import type { ExplainTools } from '../delivery/index.ts'
import type { Executor } from '../platform/db/database.ts'
import { answerList, byId } from '../platform/http/paging.ts'
import { command, phased, query, type Route } from '../platform/http/route.ts'
import type { Tenant } from '../platform/tenant.ts'
import { writeTest } from './create-test.shell.ts'
import { startTest } from './placement.commands.ts'
import {
  countPlacementTests,
  findPlacementTest,
  listPlacementTests,
  updateRepeatEnded,
  type PlacementTestRow,
} from './placement-tests.sql.ts'
import { countResults, listResults, type ResultRow } from './results.sql.ts'
import { seedMailboxRoutes } from './seed-mailboxes.routes.ts'

export function placementRoutes(tools: ExplainTools): Route[] {
  return [...seedMailboxRoutes(), ...testRoutes(tools)]
}

function testRoutes({ renderer, meetingUrl }: ExplainTools): Route[] {
  return [
    phased(api.createPlacementTest, async ({ app, tenant, now }, { body: input }, answer) => {
      const written = await writeTest(app, tenant, { renderer, meetingUrl, input, now })
      return answer(async (tx) => {
        await startTest(tx, tenant, { written, now })
        return show(tx, tenant, written.id)
      })
    }),
    query(api.listPlacementTests, ({ app, tenant }, { query: listQuery }) => {
      const campaignId = listQuery.campaignId ?? null
      return answerList(listQuery, {
        key: byId,
        list: (range) => listPlacementTests(app.db, tenant, campaignId, range),
        count: () => countPlacementTests(app.db, tenant, campaignId),
        present: (rows) => rows.map(presentTest),
      })
    }),
    query(api.getPlacementTest, ({ app, tenant }, { params }) => show(app.db, tenant, params.id)),
    command(api.updatePlacementTest, async ({ tenant }, { params: { id } }, tx) => {
      await show(tx, tenant, id)
      await updateRepeatEnded(tx, tenant, { id, because: 'user' })
      return show(tx, tenant, id)
    }),
    query(api.listPlacementResults, async ({ app, tenant }, { params: { id }, query: listQuery }) => {
      await show(app.db, tenant, id)
      return answerList(listQuery, {
        key: byId,
        list: (range) => listResults(app.db, tenant, id, range),
        count: () => countResults(app.db, tenant, id),
        present: (rows) => rows.map(presentResult),
      })
    }),
  ]
}

async function show(db: Executor, tenant: Tenant, id: string): Promise<PlacementTest> {
  const row = await findPlacementTest(db, tenant, id)
  if (row === null) throw notFound()
  return presentTest(row)
}

function presentTest(row: PlacementTestRow): PlacementTest {
  const { pending, inbox, tab, spam, missing, unknown, nextRunAt, createdAt, completedAt, ...rest } = row
  return {
    ...rest,
    nextRunAt: nextRunAt?.toISOString() ?? null,
    counts: { pending, inbox, tab, spam, missing, unknown },
    createdAt: createdAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
  }
}

function presentResult({ sentAt, ...row }: ResultRow): PlacementResult {
  return { ...row, sentAt: sentAt?.toISOString() ?? null }
}
