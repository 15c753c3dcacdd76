import { apiKeysEndpoints } from '@overture/contract/api-keys.ts'
import type { Environment, Scope } from '@overture/contract/endpoint.ts'
import { AppError, notFound } from '@overture/contract/errors.ts'
import type { Admission } from '../platform/http/admission.ts'
import { decodeCursor, encodeCursor, pageOf } from '../platform/http/paging.ts'
import { command, query, type RequestContext, type Route } from '../platform/http/route.ts'
import { toApiKey } from './api-key.ts'
import { createKey } from './api-keys.commands.ts'
import { countKeys, listKeys, lockKey, updateKeyRevoked } from './api-keys.sql.ts'

export function apiKeysRoutes(deps: { admission: Admission }): Route[] {
  const { admission } = deps
  return [
    query(apiKeysEndpoints.listApiKeys, async ({ app, tenant }, { query: { page, limit, cursor } }) => {
      await admission.flush()
      const before = cursor === undefined ? null : String(decodeCursor(cursor, 1)[0])
      const offset = before === null ? ((page ?? 1) - 1) * limit : 0
      const totalCount = await countKeys(app.db, tenant.accountId)
      const rows = await listKeys(app.db, tenant.accountId, { before, offset, limit: limit + 1 })
      const results = rows.slice(0, limit)
      const last = results.at(-1)
      return {
        results: results.map((row) => toApiKey(row, app.clock.now())),
        pagination: pageOf({ page, limit, totalCount }),
        nextCursor: rows.length > limit && last !== undefined ? encodeCursor([last.id]) : null,
      }
    }),
    command(apiKeysEndpoints.createApiKey, async (context, { body }, tx) => {
      const environment = body.environment ?? context.tenant.environment
      requireOwn(context, environment, body.scopes)
      return createKey(tx, {
        accountId: context.tenant.accountId,
        environment,
        scopes: body.scopes,
        name: body.name,
        expiresAt: typeof body.expiresAt === 'string' ? new Date(body.expiresAt) : null,
        now: context.app.clock.now(),
      })
    }),
    command(apiKeysEndpoints.revokeApiKey, async (context, { params }, tx) => {
      const { accountId } = context.tenant
      const id = params['id'] ?? ''
      const row = await lockKey(tx, accountId, id)
      if (row === null) throw notFound()
      requireOwn(context, row.environment, row.scopes)
      await updateKeyRevoked(tx, accountId, id, context.app.clock.now())
      tx.afterCommit(() => admission.forget(accountId))
      return { id, deleted: true as const }
    }),
  ]
}

/** A key hands out and takes back only what it has itself. Source: contract 2. */
function requireOwn(context: RequestContext, environment: Environment, scopes: readonly Scope[]): void {
  const own = environment === context.tenant.environment && scopes.every((scope) => context.scopes.includes(scope))
  if (!own) {
    throw new AppError(
      'INSUFFICIENT_SCOPE',
      'A key can create and revoke only keys of its own environment, with scopes that it has.',
    )
  }
}
