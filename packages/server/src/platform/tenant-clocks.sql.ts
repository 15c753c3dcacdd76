import type { TenantClocks } from './app.ts'
import type { Clock } from './clock.ts'
import type { Executor } from './db/database.ts'
import type { Tenant } from './tenant.ts'

export interface SandboxClock {
  offsetMs: number
  frozenAt: Date | null
}

/** Real time in live; in test the account's own clock: frozen, or moved ahead by an offset (contract 11). */
export function createTenantClocks(real: Clock): TenantClocks {
  return {
    async now(db, tenant) {
      if (tenant.environment === 'live') return real.now()
      const clock = await findSandboxClock(db, tenant)
      return clock === null ? real.now() : readSandboxClock(clock, real.now())
    },
  }
}

export function readSandboxClock({ offsetMs, frozenAt }: SandboxClock, realNow: Date): Date {
  return frozenAt ?? new Date(realNow.getTime() + offsetMs)
}

/** Null until the clock was moved or frozen for the first time. */
export async function findSandboxClock(db: Executor, tenant: Tenant): Promise<SandboxClock | null> {
  const [row] = await db.query<SandboxClock>(
    'select offset_ms, frozen_at from sandbox_clocks where account_id = $1',
    [tenant.accountId],
    'find_sandbox_clock',
  )
  return row ?? null
}
