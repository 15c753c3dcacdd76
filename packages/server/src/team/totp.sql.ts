import type { Executor } from '../platform/db/database.ts'

export interface TotpRow {
  totpSecret: Buffer | null
  totpConfirmedAt: Date | null
  totpLastStep: number | null
  recoveryDigests: Buffer[]
}

/** Locks the user until the end of the transaction, so that of two sign-ins with one code only the first succeeds. */
export async function lockTotp(tx: Executor, accountId: string, userId: string): Promise<TotpRow | null> {
  const rows = await tx.query<TotpRow>(
    `select totp_secret, totp_confirmed_at, totp_last_step, recovery_digests from users
     where account_id = $1 and id = $2 for update`,
    [accountId, userId],
    'lock_totp',
  )
  return rows[0] ?? null
}

export async function updateTotp(
  db: Executor,
  accountId: string,
  { userId, totp }: { userId: string; totp: TotpRow },
): Promise<void> {
  await db.execute(
    `update users set totp_secret = $3, totp_confirmed_at = $4, totp_last_step = $5, recovery_digests = $6
     where account_id = $1 and id = $2`,
    [accountId, userId, totp.totpSecret, totp.totpConfirmedAt, totp.totpLastStep, totp.recoveryDigests],
    'update_totp',
  )
}
