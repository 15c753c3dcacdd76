import { Gauge } from 'prom-client'
import type { Transaction } from '../../platform/db/database.ts'
import type { App } from '../../platform/app.ts'
import { deleteSendingHold, findSendingHold } from '../../platform/db/history.sql.ts'
import { metrics } from '../../platform/metrics.shell.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { recoveredTotal } from '../delivery-metrics.shell.ts'
import { giveBack } from './give-back.commands.ts'
import { releaseMessages } from './release.sql.ts'
import {
  listClaimingAccountsAcrossAccounts,
  listExpiredTenantsAcrossAccounts,
  lockExpired,
  updateClaimsInDoubt,
} from './recover.sql.ts'
import { recordUncertain } from './uncertain.shell.ts'

const tenantsMax = 100
const rowsMax = 200

const heldGauge = new Gauge({
  name: 'overture_sending_held',
  help: '1 while live mail is held because the database has changed. overture resume-after-restore ends it.',
  registers: [metrics],
})

/**
 * Settles claims whose worker has died. A claim before its gate was certainly not sent and is released. A claim past its gate
 * without a result becomes uncertain and is never sent again automatically (docs/delivery.md, recovery). Returns the number of
 * claims.
 */
export async function recoverExpired(app: App): Promise<number> {
  const now = app.clock.now()
  const held = (await findSendingHold(app.db)) !== null
  heldGauge.set(held ? 1 : 0)
  let recovered = 0
  for (const tenant of await listExpiredTenantsAcrossAccounts(app.db, tenantsMax)) {
    recovered += await recoverTenant(app, tenant, held ? now : null)
  }
  return recovered
}

/** `doubtedAt` is the present time if sending is held, else null. */
async function recoverTenant(app: App, tenant: Tenant, doubtedAt: Date | null): Promise<number> {
  const now = await app.clocks.now(app.db, tenant)
  return app.db.transaction(async (tx) => {
    // After lost history it is unknown whether the claims of dead workers were sent.
    if (doubtedAt !== null && tenant.environment === 'live')
      await updateClaimsInDoubt(tx, tenant.accountId, { now: doubtedAt, leaseEnded: true })
    const rows = await lockExpired(tx, tenant, rowsMax)
    for (const row of rows) {
      if (row.gated) {
        await recordUncertain(tx, tenant, {
          ...row,
          answer: "The worker ended before it recorded the server's response.",
          now,
        })
        continue
      }
      const released = await releaseMessages(tx, tenant, {
        ids: [row.id],
        token: row.token,
        attempted: false,
        retryAt: now,
        answer: null,
        now,
        discard: false,
      })
      await giveBack(tx, tenant, released, { at: now, forgetSender: false })
    }
    const uncertain = rows.filter((row) => row.gated).length
    tx.afterCommit(() => {
      recoveredTotal.inc({ outcome: 'uncertain' }, uncertain)
      recoveredTotal.inc({ outcome: 'sent_again' }, rows.length - uncertain)
    })
    if (rows.length > 0) app.log.warn({ event: 'delivery.recovered', count: rows.length, accountId: tenant.accountId })
    return rows.length
  })
}

/**
 * Resumes live mail after a person has compared what was sent with what is recorded. Claims are in doubt, because they may have
 * been sent in the lost history. Returns their number, or null if sending was not held.
 */
export async function resumeAfterRestore(tx: Transaction, now: Date): Promise<number | null> {
  if (!(await deleteSendingHold(tx))) return null
  let doubted = 0
  for (const accountId of await listClaimingAccountsAcrossAccounts(tx))
    doubted += await updateClaimsInDoubt(tx, accountId, { now, leaseEnded: false })
  return doubted
}
