import { randomBytes } from 'node:crypto'
import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import type { App } from '../platform/app.ts'
import type { Transaction } from '../platform/db/database.ts'
import { lockTotp, updateTotp, type TotpRow } from './totp.sql.ts'
import {
  authenticatorUrl,
  formatRecoveryCode,
  recoveryDigest,
  stepOfCode,
  toBase32,
  totpSecretBytes,
  totpSecretContext,
} from './totp.ts'
import type { UserRow } from './user.ts'

const recoveryCodes = 10
const recoveryCodeBytes = 10
const off: TotpRow = { totpSecret: null, totpConfirmedAt: null, totpLastStep: null, recoveryDigests: [] }

type Owner = Pick<UserRow, 'accountId' | 'id' | 'email'>

/**
 * Makes a secret for an authenticator. Codes are required only after one code of it was confirmed. `unprovenBy` is the session
 * that gave no proof for it. Codes prove nothing in that session, which could have been stolen.
 */
export async function beginTotp(
  { secrets }: Pick<App, 'secrets'>,
  tx: Transaction,
  { user, unprovenBy }: { user: Owner; unprovenBy: string | null },
): Promise<{ secret: string; url: string }> {
  const known = await lockTotp(tx, user.accountId, user.id)
  if (known === null) throw notFound()
  if (known.totpConfirmedAt !== null) {
    throw new AppError('CONFLICT', 'An authenticator is already set up. Remove it first.', {
      currentStatus: 'totp_on',
      allowedActions: ['delete'],
    })
  }
  const secret = randomBytes(totpSecretBytes)
  const sealed = [secret.toString('hex'), ...(unprovenBy === null ? [] : [unprovenBy])].join(' ')
  const totpSecret = secrets.encrypt(sealed, totpSecretContext(user.id))
  await updateTotp(tx, user.accountId, { userId: user.id, totp: { ...off, totpSecret } })
  const text = toBase32(secret)
  return { secret: text, url: authenticatorUrl(user.email, text) }
}

/** Confirms the authenticator; from now on sign-ins require a code. Returns the recovery codes, which are shown only now. */
export async function confirmTotp(
  { secrets }: Pick<App, 'secrets'>,
  tx: Transaction,
  { user, code, now }: { user: Owner; code: string; now: Date },
): Promise<string[]> {
  const known = await lockTotp(tx, user.accountId, user.id)
  if (known === null || known.totpSecret === null || known.totpConfirmedAt !== null) {
    throw new AppError('CONFLICT', 'There is no authenticator to confirm. Start the setup first.', {
      currentStatus: (known?.totpConfirmedAt ?? null) === null ? 'totp_off' : 'totp_on',
      allowedActions: [],
    })
  }
  const step = stepOfCode(openSecret(secrets, user.id, known.totpSecret).secret, code, {
    nowMs: now.getTime(),
    lastStep: null,
  })
  if (step === null)
    throw invalid({
      path: 'code',
      rule: 'code',
      message: 'The code is wrong. Enter the code that the authenticator shows now.',
    })
  const codes = Array.from({ length: recoveryCodes }, () => formatRecoveryCode(randomBytes(recoveryCodeBytes)))
  const totp = { ...known, totpConfirmedAt: now, totpLastStep: step, recoveryDigests: codes.map(recoveryDigest) }
  await updateTotp(tx, user.accountId, { userId: user.id, totp })
  return codes
}

export async function endTotp(tx: Transaction, user: Owner): Promise<void> {
  const known = await lockTotp(tx, user.accountId, user.id)
  if (known === null || known.totpSecret === null) throw notFound()
  await updateTotp(tx, user.accountId, { userId: user.id, totp: off })
}

/**
 * Checks a code and uses it up. Codes of a confirmed authenticator and recovery codes are valid once. `sessionId` is the session
 * that gives the code as a proof, or null at a sign-in.
 */
export async function takeCode(
  { secrets }: Pick<App, 'secrets'>,
  tx: Transaction,
  { user, code, sessionId, now }: { user: Owner; code: string; sessionId: string | null; now: Date },
): Promise<boolean> {
  const known = await lockTotp(tx, user.accountId, user.id)
  if (known === null || known.totpSecret === null || known.totpConfirmedAt === null) return false
  const { secret, unprovenBy } = openSecret(secrets, user.id, known.totpSecret)
  if (sessionId !== null && unprovenBy === sessionId) return false
  const step = stepOfCode(secret, code, { nowMs: now.getTime(), lastStep: known.totpLastStep })
  const digest = recoveryDigest(code)
  const remaining = known.recoveryDigests.filter((one) => !one.equals(digest))
  if (step === null && remaining.length === known.recoveryDigests.length) return false
  const totp = { ...known, totpLastStep: step ?? known.totpLastStep, recoveryDigests: remaining }
  await updateTotp(tx, user.accountId, { userId: user.id, totp })
  return true
}

function openSecret(secrets: App['secrets'], userId: string, sealed: Buffer) {
  const [hex = '', unprovenBy = null] = secrets.decrypt(sealed, totpSecretContext(userId)).split(' ')
  return { secret: Buffer.from(hex, 'hex'), unprovenBy }
}
