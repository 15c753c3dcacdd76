import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { listSendersWithSecrets, type SenderWithSecrets } from './sending-accounts.sql.ts'

const atOnceMax = 200

interface SharedStatement {
  ids: Set<string>
  found: Promise<ReadonlyMap<string, SenderWithSecrets>>
}

// Reads that are not sent yet, by tenant.
const readings = new WeakMap<Executor, Map<string, SharedStatement>>()

/**
 * Reads a sender with its secrets. Reads of one tenant in the same turn of the event loop share a statement, because messages
 * are sent in batches.
 */
export async function readSenderWithSecrets(
  db: Executor,
  tenant: Tenant,
  id: string,
): Promise<SenderWithSecrets | null> {
  const open = readings.get(db) ?? new Map<string, SharedStatement>()
  readings.set(db, open)
  const key = `${tenant.accountId} ${tenant.environment}`
  let reading = open.get(key)
  if (reading === undefined || reading.ids.size >= atOnceMax) {
    reading = begin(db, tenant, (begun) => {
      if (open.get(key) === begun) open.delete(key)
    })
    open.set(key, reading)
  }
  reading.ids.add(id)
  return (await reading.found).get(id) ?? null
}

function begin(db: Executor, tenant: Tenant, onAsked: (reading: SharedStatement) => void): SharedStatement {
  const ids = new Set<string>()
  const turnEnds = new Promise<void>((resolve) => setImmediate(resolve))
  const found = turnEnds.then(async () => {
    onAsked(reading)
    const senders = await listSendersWithSecrets(db, tenant, [...ids])
    return new Map(senders.map((sender) => [sender.id, sender]))
  })
  const reading: SharedStatement = { ids, found }
  return reading
}
