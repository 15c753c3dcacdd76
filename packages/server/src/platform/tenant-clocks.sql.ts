import type { TenantClocks } from './app.ts'
import type { Clock } from './clock.ts'
import type { Executor, Transaction } from './db/database.ts'
import type { Tenant } from './tenant.ts'

interface SandboxClock {
  offsetMs: number
  frozenAt: Date | null
}

/** Real time in live. In test it is the account's own clock: frozen, or moved ahead by an offset (docs/contract.md, "Test environment"). */
export function createTenantClocks(real: Clock): TenantClocks {
  const read = async (tenant: Tenant, find: () => Promise<SandboxClock | null>) => {
    if (tenant.environment === 'live') return real.now()
    const clock = await find()
    return clock === null ? real.now() : readSandboxClock(clock, real.now())
  }
  return {
    now: (db, tenant) => read(tenant, () => findSandboxClock(db, tenant)),
    hold: (tx, tenant) => read(tenant, () => holdSandboxClock(tx, tenant)),
  }
}

function readSandboxClock({ offsetMs, frozenAt }: SandboxClock, realNow: Date): Date {
  return frozenAt ?? new Date(realNow.getTime() + offsetMs)
}

/** Null until the clock was moved or frozen for the first time. */
async function findSandboxClock(db: Executor, tenant: Tenant): Promise<SandboxClock | null> {
  const [row] = await db.query<SandboxClock>(
    'select offset_ms, frozen_at from sandbox_clocks where account_id = $1',
    [tenant.accountId],
    'find_sandbox_clock',
  )
  return row ?? null
}

/** The same with a lock: waits for a change of the clock in progress, and prevents further changes until the transaction ends. */
async function holdSandboxClock(tx: Transaction, tenant: Tenant): Promise<SandboxClock | null> {
  const [row] = await tx.query<SandboxClock>(
    'select offset_ms, frozen_at from sandbox_clocks where account_id = $1 for share',
    [tenant.accountId],
    'hold_sandbox_clock',
  )
  return row ?? null
}
