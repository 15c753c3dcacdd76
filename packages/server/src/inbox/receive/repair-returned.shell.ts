import type { ReturnedBecause } from '@overture/contract/delivery/returned.ts'
import {
  listPastBouncesAcrossAccounts,
  repairBounce,
  type MessagePlace,
  type PastBounce,
  type PastFault,
} from '../../delivery/index.ts'
import { toReturnedBecause } from '@overture/ground/refusals/sender-fault.ts'
import type { App } from '../../platform/app.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { findPastFault } from './past-faults.queries.ts'

const batchSize = 200
const listedMax = 20

/** A past bounce that is the sender's fault. */
interface FoundBounce extends MessagePlace {
  campaignId: string | null
  leadId: string | null
  because: ReturnedBecause
  code: string | null
}

interface RepairProgress {
  /** Bounces that were checked. */
  checked: number
  /** Bounces that are the sender's fault. */
  returned: number
}

interface RepairOptions {
  dryRun: boolean
  /** Called after each batch. */
  progress: (done: RepairProgress) => void
  /** Called in the transaction of each repair. */
  recorded: (tx: Transaction, accountId: string) => Promise<void>
}

/**
 * Checks all bounces for faults of the sender, and repairs each in its own transaction. A repaired message is no bounce any
 * more, so a run that ended early is continued by the next run.
 */
export async function repairReturned(
  app: App,
  { dryRun, progress, recorded }: RepairOptions,
): Promise<RepairProgress & { first: FoundBounce[] }> {
  const done = { checked: 0, returned: 0, first: [] as FoundBounce[] }
  for (let after: MessagePlace | null = null; ;) {
    const batch: PastBounce[] = await listPastBouncesAcrossAccounts(app.db, { after, limit: batchSize })
    for (const message of batch) {
      const { accountId, environment, id, campaignId, leadId } = message
      const found = await findPastFault(app.db, { accountId, environment }, message)
      if (found === null || !(dryRun || (await repair(app, message, found, recorded)))) continue
      done.returned++
      const { code } = found
      const because = toReturnedBecause(found.fault.reason)
      if (done.first.length < listedMax)
        done.first.push({ accountId, environment, id, campaignId, leadId, because, code })
    }
    done.checked += batch.length
    progress(done)
    after = batch.at(-1) ?? null
    if (after === null || batch.length < batchSize) return done
  }
}

async function repair(
  app: App,
  { accountId, environment, id }: PastBounce,
  found: PastFault,
  recorded: RepairOptions['recorded'],
): Promise<boolean> {
  const tenant = { accountId, environment }
  return app.db.transaction(async (tx) => {
    const now = await app.clocks.hold(tx, tenant)
    const { secrets } = app
    const begun = () => recorded(tx, accountId)
    return repairBounce(tx, tenant, { ...found, messageId: id, secrets, now, begun })
  })
}
