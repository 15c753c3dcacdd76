import type { Signer, State } from './oauth-state.ts'

/** `shown`: this browser got the `start` page. `agreed`: it continued from there to the provider. */
type ConsentStep = 'shown' | 'agreed'

const stepPurpose = 'sender_oauth_step'
const nonceLength = 12

/** Whether the `start` page must name the account first. It is skipped for a signed-in person and in the test environment. */
export function asksFirst({ tenant, sessionId }: State): boolean {
  return tenant.environment === 'live' && sessionId === ''
}

/** The cookie that proves a step. Each link has its own, so that two links don't interfere. */
export function proofCookie(signer: Signer, { nonce }: State, step: ConsentStep): { name: string; value: string } {
  return { name: `connect_${step}_${nonce.slice(0, nonceLength)}`, value: signer.signToken(stepPurpose, [step, nonce]) }
}

/** Whether the browser took this step. `cookie` returns a cookie of the request by its name. */
export function wasTaken(
  signer: Signer,
  state: State,
  step: ConsentStep,
  cookie: (name: string) => string | null,
): boolean {
  const known = signer.verifyToken(stepPurpose, cookie(proofCookie(signer, state, step).name) ?? '')
  return known !== null && known[0] === step && known[1] === state.nonce
}
