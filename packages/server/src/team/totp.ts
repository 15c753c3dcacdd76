import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export const totpSecretBytes = 20
const stepSeconds = 30
const digits = 6
/** Accepts one step before and after, because phone clocks are not exact. */
const stepsAround = 1
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The context with which an authenticator's secret is sealed, so that it can't be opened for another user. */
export function totpSecretContext(userId: string): string {
  return `users totp ${userId}`
}

/** The time step of this code near the current time (RFC 6238). Null if there is none that is newer than the last used step. */
export function stepOfCode(
  secret: Buffer,
  code: string,
  { nowMs, lastStep }: { nowMs: number; lastStep: number | null },
): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const current = Math.floor(nowMs / 1000 / stepSeconds)
  let found: number | null = null
  for (let step = current - stepsAround; step <= current + stepsAround; step++) {
    const isRight = timingSafeEqual(Buffer.from(computeCode(secret, step)), Buffer.from(code))
    if (isRight && (lastStep === null || step > lastStep)) found = step
  }
  return found
}

/** The code at a time. */
export function codeAt(secret: Buffer, nowMs: number): string {
  return computeCode(secret, Math.floor(nowMs / 1000 / stepSeconds))
}

// RFC 4226, 5.3: four bytes at the offset in the last byte, without the sign bit.
function computeCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const from = hash[hash.length - 1]! & 0x0f
  const number = (hash.readUInt32BE(from) & 0x7fff_ffff) % 10 ** digits
  return String(number).padStart(digits, '0')
}

/** Encodes in base 32, the format that authenticators read. */
export function toBase32(bytes: Buffer): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => base32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

export function authenticatorUrl(email: string, secret: string): string {
  const issuer = 'Overture'
  return `otpauth://totp/${issuer}:${encodeURIComponent(email)}?secret=${secret}&issuer=${issuer}`
}

/** `abcd-efgh-ijkm-npqr`: 80 bits of base 32. */
export function formatRecoveryCode(bytes: Buffer): string {
  return (toBase32(bytes).toLowerCase().match(/.{4}/g) ?? []).join('-')
}

export function recoveryDigest(code: string): Buffer {
  return createHash('sha256').update(code.toLowerCase().replaceAll(/[\s-]/g, '')).digest()
}
