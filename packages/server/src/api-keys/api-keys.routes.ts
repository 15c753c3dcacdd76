import { apiKeysEndpoints } from '@overture/contract/accounts/api-keys.ts'
import type { Environment, Scope } from '@overture/contract/endpoint.ts'
import { AppError, notFound } from '@overture/contract/errors.ts'
import type { Admission } from '../platform/http/admission.ts'
import { answerList, byId } from '../platform/http/paging.ts'
import { command, query, type RequestContext, type Route } from '../platform/http/route.ts'
import { toApiKey, type ApiKeyRow } from './api-key.ts'
import { createKey, endKey } from './api-keys.commands.ts'
import { countKeys, listKeys } from './api-keys.sql.ts'

export function apiKeysRoutes(deps: { admission: Admission }): Route[] {
  const { admission } = deps
  return [
    query(apiKeysEndpoints.listApiKeys, async ({ app, tenant }, { query: asked }) => {
      await admission.flush()
      return answerList(asked, {
        key: byId,
        list: (at) => listKeys(app.db, tenant.accountId, at),
        count: () => countKeys(app.db, tenant.accountId),
        present: (rows) => rows.map((row) => toApiKey(row, app.clock.now())),
      })
    }),
    command(apiKeysEndpoints.createApiKey, async (context, { body }, tx) => {
      const environment = body.environment ?? context.tenant.environment
      requireOwn(context, environment, body.scopes)
      return createKey(tx, {
        accountId: context.tenant.accountId,
        environment,
        scopes: body.scopes,
        name: body.name,
        parentId: context.caller.kind === 'key' ? context.caller.id : null,
        expiresAt: typeof body.expiresAt === 'string' ? new Date(body.expiresAt) : null,
        now: context.app.clock.now(),
      })
    }),
    command(apiKeysEndpoints.revokeApiKey, async (context, { params }, tx) => {
      const { accountId } = context.tenant
      const id = params.id
      const allowed = (row: ApiKeyRow) => requireOwn(context, row.environment, row.scopes)
      const row = await endKey(tx, accountId, { keyId: id, now: context.app.clock.now(), allowed })
      if (row === null) throw notFound()
      tx.afterCommit(() => admission.forget(accountId))
      return { id, deleted: true as const }
    }),
  ]
}

/** A key hands out and takes back only what it has itself. Source: docs/contract.md, "Accounts and keys". */
function requireOwn(context: RequestContext, environment: Environment, scopes: readonly Scope[]): void {
  const own =
    environment === context.tenant.environment && scopes.every((scope) => context.caller.scopes.includes(scope))
  if (!own) {
    throw new AppError(
      'INSUFFICIENT_SCOPE',
      'A key can create and revoke only keys of its own environment, with scopes that it has.',
    )
  }
}
