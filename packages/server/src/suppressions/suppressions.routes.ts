import { normalizeEmail } from '@overture/contract/addresses.ts'
import { AppError, notFound } from '@overture/contract/errors.ts'
import { suppressionEndpoints } from '@overture/contract/suppressions/suppressions.ts'
import type { Suppression } from '@overture/contract/suppressions/suppressions.ts'
import type { Transaction } from '../platform/db/database.ts'
import { answerList, byId } from '../platform/http/paging.ts'
import { command, query } from '../platform/http/route.ts'
import type { Route } from '../platform/http/route.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import { containsPattern, mayLift } from './suppression.ts'
import {
  countSuppressions,
  deleteSuppression,
  findSuppression,
  listSuppressions,
  lockSuppression,
  upsertSuppression,
} from './suppressions.sql.ts'
import type { SuppressionRow } from './suppressions.sql.ts'

interface SuppressionsTools {
  /** Called in the same transaction when an address or a domain was suppressed. */
  added?: (tx: Transaction, tenant: Tenant, what: { email: string | null; domain: string | null }) => Promise<void>
  /** Called in the same transaction when a suppression was lifted. */
  lifted?: (
    tx: Transaction,
    tenant: Tenant,
    what: { email: string | null; domain: string | null; now: Date },
  ) => Promise<void>
}

export function suppressionsRoutes(tools: SuppressionsTools = {}): Route[] {
  return [
    query(suppressionEndpoints.listSuppressions, async ({ app, tenant }, { query: asked }) => {
      const filter = { pattern: containsPattern(asked.q), source: asked.source ?? null }
      return answerList(asked, {
        key: byId,
        list: (range) => listSuppressions(app.db, tenant, filter, range),
        count: (seen) => seen ?? countSuppressions(app.db, tenant, filter),
        present: (rows) => rows.map(toSuppression),
      })
    }),
    command(suppressionEndpoints.createSuppression, async ({ app, tenant, now }, { body }, tx) => {
      const address = body.email === undefined ? null : normalizeEmail(body.email).email
      const domain =
        body.domain === undefined ? null : normalizeEmail(`postmaster@${body.domain.replace(/^@/, '')}`).domain
      const hash = address === null ? null : app.secrets.addressHash(address)
      const named = { email: address, hash, domain }
      const added = { ...named, id: newId('sup'), source: 'manual', reason: body.reason ?? null } as const
      const changed = await upsertSuppression(tx, tenant, { ...added, expiresAt: null, now })
      await tools.added?.(tx, tenant, { email: address, domain })
      return toSuppression(changed ?? (await findSuppression(tx, tenant, named))!)
    }),
    command(suppressionEndpoints.deleteSuppression, async ({ tenant, now }, { params }, tx) => {
      const row = await lockSuppression(tx, tenant, params.id)
      if (row === null) throw notFound()
      if (!mayLift(row.source)) {
        throw new AppError('CONFLICT', "The recipient opted out, so this suppression can't be removed.", {
          currentStatus: row.source,
          allowedActions: [],
        })
      }
      await deleteSuppression(tx, tenant, row.id)
      await tools.lifted?.(tx, tenant, { email: row.email, domain: row.domain, now })
      return { id: row.id, deleted: true as const }
    }),
  ]
}

function toSuppression(row: SuppressionRow): Suppression {
  return { ...row, createdAt: row.createdAt.toISOString() }
}
