import { likeAnywhere } from '@overture/ground/text/like.ts'
import { normalizeEmail } from '@overture/contract/addresses.ts'
import { notFound } from '@overture/contract/errors.ts'
import { erasureEndpoints } from '@overture/contract/people/erasures.ts'
import { peopleEndpoints } from '@overture/contract/people/people.ts'
import { answerList, byId, type PageQuery } from '../platform/http/paging.ts'
import { command, query, type RequestContext, type Route } from '../platform/http/route.ts'
import { erasePerson } from './erase-person.commands.ts'
import { presentErasure } from './erasure-proof.ts'
import { countErasures, findErasure, listErasures } from './erasures.sql.ts'
import { exportPerson, getPerson, presentPeople, updatePerson, type PeopleTools } from './people.commands.ts'
import { countPeople, listPeople } from './people.sql.ts'

export function peopleRoutes(tools: PeopleTools): Route[] {
  return [
    query(peopleEndpoints.listPeople, (context, { query: listQuery }) => listPage(context, listQuery)),
    query(peopleEndpoints.getPerson, (context, { params }) => getPerson(context, params.id)),
    command(peopleEndpoints.updatePerson, (context, { params, body }, tx) =>
      updatePerson(context, tx, { id: params.id, input: body, tools }),
    ),
    command(peopleEndpoints.erasePerson, (context, { params }, tx) =>
      erasePerson(context, tx, { id: params.id, tools }),
    ),
    query(peopleEndpoints.exportPerson, (context, { params }) => exportPerson(context, { id: params.id, tools })),
    query(erasureEndpoints.listErasures, ({ app, tenant }, { query: listQuery }) =>
      answerList(listQuery, {
        key: byId,
        list: (range) => listErasures(app.db, tenant, range),
        count: () => countErasures(app.db, tenant),
        present: (rows) => rows.map((row) => presentErasure(app.secrets, row)),
      }),
    ),
    query(erasureEndpoints.getErasure, async ({ app, tenant }, { params }) => {
      const row = await findErasure(app.db, tenant, params.id)
      if (row === null) throw notFound()
      return presentErasure(app.secrets, row)
    }),
  ]
}

interface PeopleQuery extends PageQuery {
  q?: string | undefined
  email?: string | undefined
  campaignId?: string | undefined
  status?: string | undefined
  interest?: string | undefined
  tagId?: string | undefined
}

async function listPage({ app, tenant }: RequestContext, listQuery: PeopleQuery) {
  const filter = {
    q: listQuery.q === undefined || listQuery.q === '' ? null : likeAnywhere(listQuery.q),
    email: listQuery.email === undefined ? null : normalizeEmail(listQuery.email).email,
    campaignId: listQuery.campaignId ?? null,
    status: listQuery.status ?? null,
    interest: listQuery.interest ?? null,
    tagId: listQuery.tagId ?? null,
  }
  return answerList(listQuery, {
    key: byId,
    list: (range) => listPeople(app.db, tenant, filter, range),
    count: (seen) => seen ?? countPeople(app.db, tenant, filter),
    present: (rows) => presentPeople(app, app.db, tenant, rows),
  })
}
