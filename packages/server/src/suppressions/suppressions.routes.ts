import { normalizeEmail } from '@overture/contract/addresses.ts'
import { AppError, notFound } from '@overture/contract/errors.ts'
import { suppressionEndpoints } from '@overture/contract/suppressions/suppressions.ts'
import { answerList, byId } from '../platform/http/paging.ts'
import { command, query } from '../platform/http/route.ts'
import type { Route } from '../platform/http/route.ts'
import { newId } from '../platform/ids.ts'
import { expireNext } from './expiry.commands.ts'
import { suppressionListRoutes } from './suppression-lists.routes.ts'
import type { SuppressionTools } from './suppression-tools.ts'
import { containsPattern, mayLift, toSuppression } from './suppression.ts'
import {
  countSuppressions,
  deleteSuppression,
  findSuppression,
  listSuppressions,
  lockSuppression,
  upsertSuppression,
} from './suppressions.sql.ts'

export function suppressionsRoutes(tools: SuppressionTools = {}): Route[] {
  return [
    query(suppressionEndpoints.listSuppressions, async ({ app, tenant }, { query: listQuery }) => {
      const filter = {
        pattern: containsPattern(listQuery.q),
        source: listQuery.source ?? null,
        list: listQuery.list ?? null,
      }
      return answerList(listQuery, {
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
      const list = body.list ?? null
      const named = { email: address, hash, domain, list }
      const source = list === null ? 'manual' : 'customer'
      const expiresAt = body.expiresAt === undefined ? null : new Date(body.expiresAt)
      const added = { ...named, id: newId('sup'), source, reason: body.reason ?? null, expiresAt, now } as const
      const changed = await upsertSuppression(tx, tenant, added)
      if (expiresAt === null || expiresAt > now) await tools.added?.(tx, tenant, { email: address, domain, now })
      if (expiresAt !== null) await expireNext(tx, tenant, { after: now, notBefore: now })
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
      if (row.email === null && row.domain === null) await tools.freed?.(tx, tenant, now)
      else await tools.lifted?.(tx, tenant, { email: row.email, domain: row.domain, now })
      return { id: row.id, deleted: true as const }
    }),
    ...suppressionListRoutes(),
  ]
}
