import { Readable } from 'node:stream'
import { notFound } from '@overture/contract/errors.ts'
import { listEndpoints as api } from '@overture/contract/lists/list-endpoints.ts'
import { checkLeadHeader } from '../campaigns/imports/import-columns.ts'
import { answerList, byId, type CursorKey, countMax } from '../platform/http/paging.ts'
import { command, phased, query, type Route } from '../platform/http/route.ts'
import { newId } from '../platform/ids.ts'
import { errorLines } from '../platform/imports/import-errors.shell.ts'
import { receiveUpload } from '../platform/imports/uploads.shell.ts'
import { getMemberImport, memberImportKind, presentMemberImport } from './imports.commands.ts'
import { changeList, createList, getList, presentLists, removeList } from './lists.commands.ts'
import { countLists, findList, listLists } from './lists.sql.ts'
import { addressesFrom, presentMember } from './member.ts'
import { addMembers, removeMembers } from './members.commands.ts'
import { countMembers, listMembers } from './members.sql.ts'

const byEmail: CursorKey<{ email: string }, string> = {
  of: ({ email }) => [email],
  read: ([email, ...rest]) => (typeof email === 'string' && rest.length === 0 ? email : null),
}

export function listRoutes(): Route[] {
  return [
    query(api.listLists, ({ app, tenant }, { query: listQuery }) =>
      answerList(listQuery, {
        key: byId,
        list: (range) => listLists(app.db, tenant, listQuery.q ?? null, range),
        count: (seen) => seen ?? countLists(app.db, tenant, listQuery.q ?? null),
        present: (rows) => presentLists(app.db, tenant, rows),
      }),
    ),
    command(api.createList, ({ tenant, now }, { body }, tx) => createList(tx, tenant, { input: body, now })),
    query(api.getList, ({ app, tenant }, { params }) => getList(app.db, tenant, params.id)),
    command(api.updateList, ({ tenant, now }, { params, body }, tx) =>
      changeList(tx, tenant, { id: params.id, input: body, now }),
    ),
    command(api.deleteList, ({ tenant }, { params }, tx) => removeList(tx, tenant, params.id)),
    ...memberRoutes(),
    ...importRoutes(),
  ]
}

function memberRoutes(): Route[] {
  return [
    query(api.listListMembers, async ({ app, tenant }, { params, query: listQuery }) => {
      const list = await findList(app.db, tenant, params.id)
      if (list === undefined) throw notFound()
      const { from, to } = addressesFrom(listQuery.q)
      return answerList(listQuery, {
        key: byEmail,
        list: (range) => listMembers(app.db, tenant, { listId: list.id, from, to }, range),
        // Without a search the stored count is used, so the first page of a million members costs as much as that of ten.
        count: (seen) =>
          to === null
            ? list.memberCount
            : (seen ?? countMembers(app.db, tenant, { listId: list.id, from, to, max: countMax })),
        present: (rows) => rows.map(presentMember),
      })
    }),
    command(api.addListMembers, ({ tenant, now }, { params, body }, tx) =>
      addMembers(tx, tenant, { listId: params.id, members: body.members, now }),
    ),
    command(api.removeListMembers, ({ tenant, now }, { params, body }, tx) =>
      removeMembers(tx, tenant, { listId: params.id, emails: body.emails, now }),
    ),
  ]
}

function importRoutes(): Route[] {
  return [
    phased(api.importListMembers, async ({ app, tenant, caller, now }, { params, query: options, upload }, answer) => {
      if ((await findList(app.db, tenant, params.id)) === undefined) throw notFound()
      const columns = options.columns ?? null
      const request = {
        id: newId('imp'),
        target: { personListId: params.id },
        jobKind: memberImportKind,
        checkHeader: (header: readonly string[]) => checkLeadHeader(header, columns),
        keyId: caller.id,
        columns,
        encoding: options.encoding ?? null,
        sheet: options.sheet ?? null,
        now,
      }
      return receiveUpload(app, tenant, { ...request, bytes: upload }, (complete) =>
        answer(async (tx) => {
          await complete(tx)
          return presentMemberImport(await getMemberImport(tx, tenant, request.id), app.config.publicUrl)
        }),
      )
    }),
    query(api.getListImport, async ({ app, tenant }, { params }) =>
      presentMemberImport(await getMemberImport(app.db, tenant, params.id), app.config.publicUrl),
    ),
    query(api.getListImportErrors, async (context, { params }) => {
      const { app, tenant } = context
      const row = await getMemberImport(app.db, tenant, params.id)
      context.setHeader('content-type', 'text/csv; charset=utf-8')
      context.setHeader('content-disposition', 'attachment; filename="errors.csv"')
      return Readable.from(errorLines(app.db, tenant, row))
    }),
  ]
}
