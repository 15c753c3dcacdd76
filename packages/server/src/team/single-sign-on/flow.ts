import { minuteMs } from '@overture/ground/time/spans.ts'
import type { Secrets } from '../../platform/crypto/secrets.shell.ts'

/** A started sign-in at the issuer. The browser stores it, sealed, and the server stores nothing. */
export interface Flow {
  state: string
  nonce: string
  codeVerifier: string
  /** The console page to open after the sign-in. */
  target: string
  expiresAtMs: number
}

export const flowLifeMs = 10 * minuteMs
const context = 'single sign-on flow'
const sealedLengthMax = 4_000

export function sealFlow(secrets: Pick<Secrets, 'encrypt'>, flow: Flow): string {
  return secrets.encrypt(JSON.stringify(flow), context).toString('base64url')
}

/** Opens a sealed flow. Returns null if it was not sealed by us or is too old. */
export function openFlow(secrets: Pick<Secrets, 'decrypt'>, sealed: string | null, now: Date): Flow | null {
  if (sealed === null || sealed.length > sealedLengthMax) return null
  try {
    const flow = JSON.parse(secrets.decrypt(Buffer.from(sealed, 'base64url'), context)) as Flow
    return flow.expiresAtMs > now.getTime() ? flow : null
  } catch {
    return null
  }
}

/** The target page. A foreign link can only lead into the console. */
export function readTarget(given: unknown): string {
  const isOurs =
    typeof given === 'string' && given.length <= 1_000 && /^\/app\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(given)
  return isOurs ? given : '/app/'
}
