import { notFound } from '@overture/contract/errors.ts'
import {
  type VerifiedAddress,
  type AddressVerification,
  verificationEndpoints,
} from '@overture/contract/verification/verification.ts'
import { answerList, type CursorKey } from '../platform/http/paging.ts'
import { command, query, type Route } from '../platform/http/route.ts'
import { countResults, listResults, type ResultRow } from './addresses.sql.ts'
import { createVerification } from './verifications.commands.ts'
import { findVerification, type VerificationRow } from './verifications.sql.ts'

/** For lists in the order of addresses. */
const byEmail: CursorKey<{ email: string }, string> = {
  of: (row) => [row.email],
  read: ([email, ...rest]) => (typeof email === 'string' && rest.length === 0 ? email : null),
}

export function verificationRoutes(): Route[] {
  return [
    command(verificationEndpoints.createVerification, async ({ tenant, now }, { body }, tx) =>
      presentVerification(await createVerification(tx, tenant, { ...body, now })),
    ),
    query(verificationEndpoints.getVerification, async ({ app, tenant }, { params }) => {
      const row = await findVerification(app.db, tenant, params.id)
      if (row === null) throw notFound()
      return presentVerification(row)
    }),
    query(verificationEndpoints.listVerificationResults, async ({ app, tenant }, { params, query: listQuery }) => {
      if ((await findVerification(app.db, tenant, params.id)) === null) throw notFound()
      const filter = { verificationId: params.id, result: listQuery.result ?? null }
      return answerList(listQuery, {
        key: byEmail,
        list: (range) => listResults(app.db, tenant, filter, range),
        count: () => countResults(app.db, tenant, filter),
        present: (rows) => rows.map(presentResult),
      })
    }),
  ]
}

function presentVerification({
  listedAfter: _listedAfter,
  createdAt,
  completedAt,
  ...row
}: VerificationRow): AddressVerification {
  return { ...row, createdAt: createdAt.toISOString(), completedAt: completedAt?.toISOString() ?? null }
}

function presentResult(row: ResultRow): VerifiedAddress {
  return { ...row, checkedAt: row.checkedAt?.toISOString() ?? null }
}
