import { grantEndpoints } from '@overture/contract/accounts/grants.ts'
import { AppError, notFound } from '@overture/contract/errors.ts'
import { hasRole } from '@overture/contract/team/roles.ts'
import { endKey, tellRevoked } from '../api-keys/index.ts'
import { answerList, byId } from '../platform/http/paging.ts'
import type { Admission } from '../platform/http/admission.ts'
import { command, query, type Route } from '../platform/http/route.ts'
import { toGrant } from './grant.ts'
import { countGrants, findGrant, listGrants } from './grants.sql.ts'

export function grantRoutes({ admission }: { admission: Admission }): Route[] {
  return [
    query(grantEndpoints.listGrants, async ({ app, tenant, caller }, { query: listQuery }) => {
      await admission.flush()
      // Like the list of keys: grants of live are visible only in live.
      const environment = caller.kind === 'key' && tenant.environment === 'test' ? 'test' : null
      return answerList(listQuery, {
        key: byId,
        list: (range) => listGrants(app.db, tenant.accountId, { ...range, environment }),
        count: () => countGrants(app.db, tenant.accountId, environment),
        present: (rows) => rows.map(toGrant),
      })
    }),
    command(grantEndpoints.revokeGrant, async (context, { params }, tx) => {
      const { tenant, caller, app } = context
      const grant = await findGrant(tx, tenant.accountId, params.id)
      if (grant === null) throw notFound()
      if (caller.kind === 'key' && grant.environment !== tenant.environment) throw notFound()
      if (!hasRole(caller.role, 'admin') && grant.userId !== caller.userId)
        throw new AppError('INSUFFICIENT_ROLE', 'Another user allowed this assistant. Only an admin can revoke it.', {
          requiredRole: 'admin',
        })
      const now = app.clock.now()
      const end = await endKey(tx, tenant.accountId, { keyId: grant.keyId, now })
      await tellRevoked(tx, tenant.accountId, end?.ended ?? [], (environment) =>
        environment === tenant.environment ? context.now : now,
      )
      tx.afterCommit(() => admission.forget(tenant.accountId))
      return { id: grant.id, deleted: true as const }
    }),
  ]
}
