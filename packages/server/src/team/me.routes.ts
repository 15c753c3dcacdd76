import { AppError, notFound } from '@overture/contract/errors.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import { meEndpoints, type Me } from '@overture/contract/team/me.ts'
import { findAccount } from '../accounts/index.ts'
import type { Executor } from '../platform/db/database.ts'
import { answerList, byId } from '../platform/http/paging.ts'
import { command, query, type RequestContext, type Route } from '../platform/http/route.ts'
import { countSessions, deleteSession, listSessions } from './sessions.sql.ts'
import { toMe, toSession, type UserRow } from './user.ts'
import { findUser, lockUser, updateUserProfile } from './users.sql.ts'

const readOnlyFields = [
  'id',
  'email',
  'role',
  'status',
  'methods',
  'totp',
  'lastSeenAt',
  'createdAt',
  'account',
  'sessionId',
] as const

/** The routes about the signed-in person. Every user may call each of them. */
export function meRoutes(): Route[] {
  return [
    query(meEndpoints.getMe, async (context) => {
      const user = await findUser(context.app.db, context.tenant.accountId, requireUserId(context))
      if (user === null) throw notFound()
      return describe(context, context.app.db, user)
    }),
    command(meEndpoints.updateMe, async (context, { body }, tx) => {
      const user = await lockUser(tx, context.tenant.accountId, requireUserId(context))
      if (user === null) throw notFound()
      const shown = await describe(context, tx, user)
      const issues = changedReadOnly({ ...shown }, { ...body }, readOnlyFields)
      if (issues.length > 0) throw new AppError('VALIDATION_ERROR', 'The request is not valid.', { issues })
      const preferences = { ...user.preferences, ...withoutBlanks(body.preferences) }
      const changed = { ...user, name: body.name ?? user.name, preferences }
      await updateUserProfile(tx, changed)
      return describe(context, tx, changed)
    }),
    query(meEndpoints.listMySessions, async (context, { query: listQuery }) => {
      const { app, tenant, caller } = context
      const owned = { userId: requireUserId(context), now: app.clock.now() }
      return answerList(listQuery, {
        key: byId,
        list: (range) => listSessions(app.db, tenant.accountId, { ...owned, ...range }),
        count: () => countSessions(app.db, tenant.accountId, owned),
        present: (rows) => rows.map((row) => toSession(row, caller.id)),
      })
    }),
    command(meEndpoints.endMySession, async (context, { params }, tx) => {
      const { tenant, caller } = context
      const sessionId = params.id === 'current' ? caller.id : params.id
      const ended = await deleteSession(tx, tenant.accountId, { userId: requireUserId(context), sessionId })
      if (!ended) throw notFound()
      return { id: sessionId, deleted: true as const }
    }),
  ]
}

/** Throws 404 for a key without a user. */
function requireUserId({ caller }: RequestContext): string {
  if (caller.userId === null) throw notFound()
  return caller.userId
}

async function describe({ tenant, caller }: RequestContext, db: Executor, user: UserRow): Promise<Me> {
  const account = await findAccount(db, tenant.accountId)
  return toMe(user, { name: account?.name ?? '' }, caller.kind === 'session' ? caller.id : null)
}

function withoutBlanks<Fields extends object>(fields: Fields | undefined): Partial<Fields> {
  const given = Object.entries(fields ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Partial<Fields>
}
