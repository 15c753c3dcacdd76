import { notFound } from '@overture/contract/errors.ts'
import {
  tenantConnectionEndpoints,
  type TenantConnection,
} from '@overture/contract/sending-accounts/tenant-connections.ts'
import type { Executor, Transaction } from '../../platform/db/database.ts'
import { answerList, byId } from '../../platform/http/paging.ts'
import { after, command, phased, query, type Protection, type Route } from '../../platform/http/route.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { organizationBudget, suggestedRecipients } from '../budgets/recipient-budget.ts'
import { setBudget } from '../budgets/recipient-budgets.commands.ts'
import { startAdminConsent } from './admin-consent.shell.ts'
import { provenConnection, storeConnection } from './connect.shell.ts'
import { assertApplication, connectMailboxes } from './mailboxes.commands.ts'
import { removeConnection } from './remove.commands.ts'
import {
  countTenantConnections,
  findConnectionSecrets,
  findTenantConnection,
  listTenantConnections,
  updateRefusedSendersDue,
  updateTenantConnectionVersion,
  type TenantConnectionRow,
} from './tenant-connections.sql.ts'
import { verifyMailbox } from './verify-connection.client.ts'

type ChangeListener = (tx: Transaction, tenant: Tenant, now: Date) => Promise<void>

export function tenantConnectionRoutes(changed: ChangeListener, protection: Protection): Route[] {
  return [...readingRoutes(), ...connectingRoutes(changed), ...changingRoutes(changed, protection)]
}

function readingRoutes(): Route[] {
  return [
    query(tenantConnectionEndpoints.startAdminConsent, ({ app, tenant }, { query: listQuery }) =>
      Promise.resolve(startAdminConsent(app, tenant, listQuery.domain)),
    ),
    query(tenantConnectionEndpoints.listTenantConnections, ({ app, tenant }, { query: listQuery }) =>
      answerList(listQuery, {
        key: byId,
        list: (range) => listTenantConnections(app.db, tenant, range),
        count: () => countTenantConnections(app.db, tenant),
        present: (rows) => rows.map(toTenantConnection),
      }),
    ),
    query(tenantConnectionEndpoints.getTenantConnection, ({ app, tenant }, { params }) =>
      show(app.db, tenant, params.id),
    ),
  ]
}

function connectingRoutes(changed: ChangeListener): Route[] {
  return [
    phased(tenantConnectionEndpoints.connectTenant, async (context, { body }, answer) => {
      const { app, tenant, now } = context
      const connection = await provenConnection(app, tenant, body)
      return answer(async (tx) => {
        const { id, isNew } = await storeConnection(app, tx, tenant, { connection, now })
        if (!isNew) context.setStatus(200)
        await changed(tx, tenant, now)
        return show(tx, tenant, id)
      })
    }),
    phased(
      tenantConnectionEndpoints.verifyTenantConnection,
      async ({ app, tenant, now }, { params: { id }, body: { email } }, answer) => {
        const { access } = await show(app.db, tenant, id)
        assertApplication(access)
        const login = await findConnectionSecrets(app.db, tenant, id)
        if (login === null) throw notFound()
        const { checks, failure } = await verifyMailbox(app, tenant, { id, secrets: login.secrets, email })
        const ok = failure === null && checks.every((check) => check.ok)
        return answer(async (tx) => {
          if (ok && tenant.environment === 'live') {
            await updateTenantConnectionVersion(tx, tenant, id)
            await updateRefusedSendersDue(tx, tenant, id, now)
          }
          await changed(tx, tenant, now)
          return { ok, checks }
        })
      },
    ),
  ]
}

function changingRoutes(changed: ChangeListener, protection: Protection): Route[] {
  return [
    after(
      tenantConnectionEndpoints.connectTenantMailboxes,
      // A stolen session must not be able to read the mailbox of any person of the organization.
      async (context, { body }) => {
        if (context.tenant.environment === 'live') await protection.confirm(context, body.confirm)
      },
      command(tenantConnectionEndpoints.connectTenantMailboxes, async (context, { params: { id }, body }, tx) => {
        const { app, tenant, now } = context
        const results = await connectMailboxes(app, tx, tenant, { id, mailboxes: body.mailboxes, now })
        await changed(tx, tenant, now)
        if (tenant.environment === 'live' && results.connected > 0)
          await protection.notify(context, tx, 'organization_mailboxes_connected')
        return results
      }),
    ),
    command(
      tenantConnectionEndpoints.updateTenantConnection,
      async ({ tenant, now }, { params: { id }, body: { dailyExternalRecipients } }, tx) => {
        const row = await findTenantConnection(tx, tenant, id)
        if (row === null) throw notFound()
        const budget = { id: organizationBudget(row.organization), name: row.domain ?? row.organization }
        await setBudget(tx, tenant, { ...budget, dailyExternalRecipients })
        await changed(tx, tenant, now)
        return show(tx, tenant, id)
      },
    ),
    command(
      tenantConnectionEndpoints.deleteTenantConnection,
      async ({ tenant, now }, { params: { id }, query: { replaceWith } }, tx) => {
        await removeConnection(tx, tenant, id, { replaceWith, now })
        await changed(tx, tenant, now)
        return { id, deleted: true as const }
      },
    ),
  ]
}

async function show(db: Executor, tenant: Tenant, id: string): Promise<TenantConnection> {
  const row = await findTenantConnection(db, tenant, id)
  if (row === null) throw notFound()
  return toTenantConnection(row)
}

function toTenantConnection(row: TenantConnectionRow): TenantConnection {
  return {
    id: row.id,
    provider: row.provider,
    access: row.access,
    tenantId: row.provider === 'microsoft' ? row.organization : null,
    domain: row.domain,
    clientId: row.clientId === '' ? null : row.clientId,
    adminEmail: row.adminEmail,
    sendingAccounts: row.sendingAccounts,
    dailyExternalRecipients: row.dailyExternalRecipients,
    suggestedDailyExternalRecipients: suggestedRecipients(row.licences),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
