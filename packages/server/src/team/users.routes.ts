import type { Confirmation } from '@overture/contract/team/confirmation.ts'
import { AppError, notFound } from '@overture/contract/errors.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import { userEndpoints } from '@overture/contract/team/users.ts'
import type { Admission } from '../platform/http/admission.ts'
import { answerList, byId } from '../platform/http/paging.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { ProtectedCall, Protection } from '../platform/http/route.ts'
import { after, beyondWall, command, query, type RequestContext, type Route } from '../platform/http/route.ts'
import { createInvitation, toInvitation } from './invitations.shell.ts'
import { countInvitations, deleteInvitation, listInvitations } from './links.sql.ts'
import { mailLink } from './system-mail/mailed-links.shell.ts'
import { mailNotice } from './sign-in-audit.commands.ts'
import { toUser } from './user.ts'
import { changeUser, removeUser, type UserLeft } from './users.commands.ts'
import { countUsers, findUser, listUsers } from './users.sql.ts'

const readOnlyFields = ['id', 'email', 'name', 'methods', 'totp', 'lastSeenAt', 'createdAt'] as const

interface UserTools {
  admission: Pick<Admission, 'forget'>
  userLeft: UserLeft
  protection: Protection
}

export function usersRoutes(tools: UserTools): Route[] {
  return [...readingRoutes(), ...userRoutes(tools), ...invitationRoutes(tools)]
}

function readingRoutes(): Route[] {
  return [
    query(userEndpoints.listUsers, async ({ app, tenant }, { query: listQuery }) =>
      answerList(listQuery, {
        key: byId,
        list: (range) => listUsers(app.db, tenant.accountId, range),
        count: () => countUsers(app.db, tenant.accountId),
        present: (rows) => rows.map(toUser),
      }),
    ),
    query(userEndpoints.getUser, async ({ app, tenant }, { params }) => {
      const user = await findUser(app.db, tenant.accountId, params.id)
      if (user === null) throw notFound()
      return toUser(user)
    }),
  ]
}

function userRoutes({ admission, userLeft, protection }: UserTools): Route[] {
  return [
    beyondWall(
      after(
        userEndpoints.updateUser,
        async (context, { params, body: { role, status, confirm } }) => {
          const user = await findUser(context.app.db, context.tenant.accountId, params.id)
          if (user === null) return
          const next = { role: role ?? user.role, status: status ?? user.status }
          const changes = next.role !== user.role || next.status !== user.status
          if (changes && [user.role, next.role].includes('owner')) await confirmOwner(protection, context, confirm)
        },
        command(userEndpoints.updateUser, async (context, { params, body }, tx) => {
          const { tenant } = context
          const user = await findUser(tx, tenant.accountId, params.id)
          if (user === null) throw notFound()
          const { role, status, keptWebhooks: _, confirm: _proof, ...sent } = body
          const issues = changedReadOnly({ ...toUser(user) }, sent, readOnlyFields)
          if (issues.length > 0) throw new AppError('VALIDATION_ERROR', 'The request is not valid.', { issues })
          const { user: changed, keptWebhooks } = await changeUser(tx, {
            ...toUserChange(context, params.id),
            userLeft,
            role,
            status,
          })
          for (const path of ['role', 'status'] as const)
            if (changed[path] !== user[path]) context.changed({ path, before: user[path], after: changed[path] })
          tx.afterCommit(() => admission.forget(tenant.accountId))
          if (changed.role !== user.role) await notifyUser(context, tx, changed.id)
          return { ...toUser(changed), keptWebhooks }
        }),
      ),
    ),
    beyondWall(
      after(
        userEndpoints.deleteUser,
        async (context, { params, body }) => {
          const user = await findUser(context.app.db, context.tenant.accountId, params.id)
          if (user?.role === 'owner') await confirmOwner(protection, context, body.confirm)
        },
        command(userEndpoints.deleteUser, async (context, { params }, tx) => {
          const keptWebhooks = await removeUser(tx, { ...toUserChange(context, params.id), userLeft })
          tx.afterCommit(() => admission.forget(context.tenant.accountId))
          return { id: params.id, deleted: true as const, keptWebhooks }
        }),
      ),
    ),
  ]
}

// Only owners are asked for a proof: for lower roles the handler refuses with 403 anyway.
async function confirmOwner(
  protection: Protection,
  asking: ProtectedCall,
  proof: Confirmation | undefined,
): Promise<void> {
  if (asking.caller.role === 'owner') await protection.confirm(asking, proof)
}

/** Notifies the user whose role was changed, not the person who changed it. */
async function notifyUser({ app, tenant }: RequestContext, tx: Transaction, userId: string): Promise<void> {
  await mailNotice(app, tx, { accountId: tenant.accountId, userId, notice: 'role_changed', now: app.clock.now() })
}

function invitationRoutes({ protection }: UserTools): Route[] {
  return [
    query(userEndpoints.listInvitations, async ({ app, tenant }, { query: listQuery }) => {
      const now = app.clock.now()
      return answerList(listQuery, {
        key: byId,
        list: (range) => listInvitations(app.db, tenant.accountId, { ...range, now }),
        count: () => countInvitations(app.db, tenant.accountId, now),
        present: (rows) => rows.map(toInvitation),
      })
    }),
    after(
      userEndpoints.createInvitation,
      async (context, { body }) => {
        if (body.role === 'owner') await confirmOwner(protection, context, body.confirm)
      },
      command(userEndpoints.createInvitation, async ({ app, tenant, caller }, { body }, tx) => {
        const { invitation, url } = await createInvitation(tx, {
          accountId: tenant.accountId,
          email: body.email,
          role: body.role,
          actorRole: caller.role,
          invitedBy: caller.userId,
          invitedByKey: caller.kind === 'key' ? caller.id : null,
          publicUrl: app.config.publicUrl,
          now: app.clock.now(),
        })
        const link = { accountId: tenant.accountId, id: invitation.id }
        return { ...invitation, url, mailed: await mailLink(app, tx, { link, url, now: app.clock.now() }) }
      }),
    ),
    command(userEndpoints.deleteInvitation, async ({ tenant }, { params }, tx) => {
      if (!(await deleteInvitation(tx, tenant.accountId, params.id))) throw notFound()
      return { id: params.id, deleted: true as const }
    }),
  ]
}

function toUserChange({ app, tenant, caller }: RequestContext, userId: string) {
  return { accountId: tenant.accountId, userId, actorRole: caller.role, now: app.clock.now() }
}
