import { minuteMs } from '../../ground/time/spans.ts'
import type { Secrets } from '../../platform/crypto/secrets.shell.ts'

/** A sign-in at the issuer that somebody began: their browser carries it, sealed, and nothing is stored. */
export interface Flow {
  state: string
  nonce: string
  codeVerifier: string
  /** Where they wanted to go, in the console. */
  target: string
  expiresAtMs: number
}

export const flowLifeMs = 10 * minuteMs
const context = 'single sign-on flow'
const sealedLengthMax = 4_000

export function sealFlow(secrets: Pick<Secrets, 'encrypt'>, flow: Flow): string {
  return secrets.encrypt(JSON.stringify(flow), context).toString('base64url')
}

/** Null for what was not sealed here, or is too old. */
export function openFlow(secrets: Pick<Secrets, 'decrypt'>, sealed: string | null, now: Date): Flow | null {
  if (sealed === null || sealed.length > sealedLengthMax) return null
  try {
    const flow = JSON.parse(secrets.decrypt(Buffer.from(sealed, 'base64url'), context)) as Flow
    return flow.expiresAtMs > now.getTime() ? flow : null
  } catch {
    return null
  }
}

/** A link from elsewhere leads nowhere but into the console. */
export function targetOf(asked: unknown): string {
  const isOurs =
    typeof asked === 'string' && asked.length <= 1_000 && /^\/app\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(asked)
  return isOurs ? asked : '/app/'
}
