import { notFound } from '@overture/contract/errors.ts'
import {
  tenantConnectionEndpoints,
  type TenantConnection,
} from '@overture/contract/sending-accounts/tenant-connections.ts'
import { answerList, byId } from '../../platform/http/paging.ts'
import { command, query, type Route } from '../../platform/http/route.ts'
import { startAdminConsent } from './admin-consent.commands.ts'
import {
  countTenantConnections,
  deleteTenantConnection,
  findTenantConnection,
  listTenantConnections,
  type TenantConnectionRow,
} from './tenant-connections.sql.ts'

export function tenantConnectionRoutes(): Route[] {
  return [
    query(tenantConnectionEndpoints.startAdminConsent, ({ app, tenant }, { query: asked }) =>
      Promise.resolve(startAdminConsent(app, tenant, asked.domain)),
    ),
    query(tenantConnectionEndpoints.listTenantConnections, ({ app, tenant }, { query: asked }) =>
      answerList(asked, {
        key: byId,
        list: (range) => listTenantConnections(app.db, tenant, range),
        count: () => countTenantConnections(app.db, tenant),
        present: (rows) => rows.map(toTenantConnection),
      }),
    ),
    query(tenantConnectionEndpoints.getTenantConnection, async ({ app, tenant }, { params }) => {
      const row = await findTenantConnection(app.db, tenant, params.id)
      if (row === null) throw notFound()
      return toTenantConnection(row)
    }),
    command(tenantConnectionEndpoints.deleteTenantConnection, async ({ tenant }, { params }, tx) => {
      if (!(await deleteTenantConnection(tx, tenant, params.id))) throw notFound()
      return { id: params.id, deleted: true as const }
    }),
  ]
}

function toTenantConnection(row: TenantConnectionRow): TenantConnection {
  return {
    id: row.id,
    provider: row.provider,
    access: row.access,
    tenantId: row.provider === 'microsoft' ? row.organization : null,
    domain: row.domain,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
