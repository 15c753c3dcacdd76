import { normalizeEmail } from '@overture/contract/addresses.ts'
import { peopleEndpoints } from '@overture/contract/people.ts'
import { decodeCursor, encodeCursor, pageOf } from '../platform/http/paging.ts'
import { command, query, type RequestContext, type Route } from '../platform/http/route.ts'
import {
  erasePerson,
  exportPerson,
  getPerson,
  presentPerson,
  updatePerson,
  type PeopleDeps,
} from './people.commands.ts'
import { countPeople, listPeople } from './people.sql.ts'

export function peopleRoutes(deps: PeopleDeps): Route[] {
  return [
    query(peopleEndpoints.listPeople, (context, { query: asked }) => listPage(context, asked)),
    query(peopleEndpoints.getPerson, (context, { params }) => getPerson(context, params.id)),
    command(peopleEndpoints.updatePerson, (context, { params, body }, tx) =>
      updatePerson(context, tx, { id: params.id, input: body, deps }),
    ),
    command(peopleEndpoints.erasePerson, (context, { params }, tx) =>
      erasePerson(context, tx, { id: params.id, deps }),
    ),
    query(peopleEndpoints.exportPerson, (context, { params }) => exportPerson(context, params.id)),
  ]
}

interface PeopleQuery {
  page?: number | undefined
  limit: number
  cursor?: string | undefined
  q?: string | undefined
  email?: string | undefined
  campaignId?: string | undefined
  status?: string | undefined
  interest?: string | undefined
}

async function listPage({ app, tenant }: RequestContext, asked: PeopleQuery) {
  const page = asked.page ?? 1
  const filter = {
    q: asked.q === undefined || asked.q === '' ? null : `%${asked.q.replace(/[\\%_]/g, String.raw`\$&`)}%`,
    email: asked.email === undefined ? null : normalizeEmail(asked.email).email,
    campaignId: asked.campaignId ?? null,
    status: asked.status ?? null,
    interest: asked.interest ?? null,
    afterId: asked.cursor === undefined ? null : String(decodeCursor(asked.cursor, 1)[0]),
    limit: asked.limit + 1,
    offset: asked.cursor === undefined ? (page - 1) * asked.limit : 0,
  }
  const totalCount = await countPeople(app.db, tenant, filter)
  const rows = await listPeople(app.db, tenant, filter)
  const results = rows.slice(0, asked.limit)
  const last = results.at(-1)
  const nextCursor = rows.length > asked.limit && last ? encodeCursor([last.id]) : null
  return {
    results: results.map(presentPerson),
    pagination: pageOf({ page, limit: asked.limit, totalCount }),
    nextCursor,
  }
}
