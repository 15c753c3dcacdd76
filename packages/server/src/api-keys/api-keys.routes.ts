import { apiKeysEndpoints } from '@overture/contract/accounts/api-keys.ts'
import type { Environment, Scope } from '@overture/contract/endpoint.ts'
import { AppError, notFound } from '@overture/contract/errors.ts'
import { hasRole } from '@overture/contract/team/roles.ts'
import type { Admission } from '../platform/http/admission.ts'
import { answerList, byId } from '../platform/http/paging.ts'
import type { Protection, ProtectionNotice } from '../platform/http/route.ts'
import { after, command, query, type RequestContext, type Route } from '../platform/http/route.ts'
import { toApiKey, type ApiKeyRow } from './api-key.ts'
import { createKey, endKey, tellCreated, tellRevoked } from './api-keys.commands.ts'
import { countKeys, listKeys } from './api-keys.sql.ts'

export function apiKeysRoutes(tools: { admission: Admission; protection: Protection }): Route[] {
  const { admission, protection } = tools
  return [
    query(apiKeysEndpoints.listApiKeys, async ({ app, tenant, caller }, { query: listQuery }) => {
      await admission.flush()
      // Keys of the test environment list only test keys: names and prefixes of live keys are visible only in live.
      const environment = caller.kind === 'key' && tenant.environment === 'test' ? 'test' : null
      return answerList(listQuery, {
        key: byId,
        list: (range) => listKeys(app.db, tenant.accountId, { ...range, environment }),
        count: () => countKeys(app.db, tenant.accountId, environment),
        present: (rows) => rows.map((row) => toApiKey(row, app.clock.now())),
      })
    }),
    createRoute(protection),
    command(apiKeysEndpoints.revokeApiKey, async (context, { params }, tx) => {
      const { accountId } = context.tenant
      const id = params.id
      const now = context.app.clock.now()
      const end = await endKey(tx, accountId, { keyId: id, now, allowed: (row) => requireRevocable(context, row) })
      if (end === null) throw notFound()
      const own = context.tenant.environment
      await tellRevoked(tx, accountId, end.ended, (environment) => (environment === own ? context.now : now))
      tx.afterCommit(() => admission.forget(accountId))
      return { id, deleted: true as const }
    }),
  ]
}

function createRoute(protection: Protection): Route {
  return after(
    apiKeysEndpoints.createApiKey,
    async (context, { body }) => {
      const notice = noticeOfKey(context, body)
      if (notice === 'live_admin_key_created') await protection.confirm(context, body.confirm)
      if (notice === 'live_write_key_created') await protection.confirmOldSession(context, body.confirm)
    },
    command(apiKeysEndpoints.createApiKey, async (context, { body }, tx) => {
      const environment = body.environment ?? context.tenant.environment
      requireOwn(context, environment, body.scopes)
      const key = await createKey(tx, {
        accountId: context.tenant.accountId,
        environment,
        scopes: body.scopes,
        name: body.name,
        parentId: context.caller.kind === 'key' ? context.caller.id : null,
        userId: context.caller.userId,
        expiresAt: typeof body.expiresAt === 'string' ? new Date(body.expiresAt) : null,
        now: context.app.clock.now(),
      })
      await tellCreated(tx, context.tenant, { key, now: context.now })
      const notice = noticeOfKey(context, body)
      if (notice !== null) await protection.notify(context, tx, notice)
      return key
    }),
  )
}

/** The notice about a live key that can change something. A person proves who they are before such a key is made. */
function noticeOfKey(
  { tenant }: Pick<RequestContext, 'tenant'>,
  { environment, scopes }: { environment?: Environment | undefined; scopes: readonly Scope[] },
): ProtectionNotice | null {
  if ((environment ?? tenant.environment) !== 'live') return null
  if (scopes.includes('admin')) return 'live_admin_key_created'
  return scopes.includes('write') ? 'live_write_key_created' : null
}

/** Admins revoke keys of both environments; other users revoke only their own. A key revokes keys that it could have made. */
function requireRevocable(context: RequestContext, { environment, scopes, userId }: ApiKeyRow): void {
  const { caller } = context
  if (caller.kind === 'key') requireOwn(context, environment, scopes)
  if (hasRole(caller.role, 'admin') || (userId !== null && userId === caller.userId)) return
  throw new AppError('INSUFFICIENT_ROLE', 'This key belongs to another user. Only an admin can revoke it.', {
    requiredRole: 'admin',
  })
}

/** A key can make and revoke only keys with rights that it has itself. Source: docs/contract.md, "Accounts and keys". */
function requireOwn(context: RequestContext, environment: Environment, scopes: readonly Scope[]): void {
  const own =
    environment === context.tenant.environment && scopes.every((scope) => context.caller.scopes.includes(scope))
  if (!own) {
    throw new AppError(
      'INSUFFICIENT_SCOPE',
      'A key can create and revoke only keys of its own environment with its own scopes.',
    )
  }
}
