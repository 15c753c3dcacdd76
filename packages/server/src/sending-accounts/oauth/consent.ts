import type { Signer, State } from './oauth-state.ts'

/** The page was shown in this browser; its owner went on from there to the provider. */
type ConsentStep = 'shown' | 'agreed'

const stepPurpose = 'sender_oauth_step'
const nonceLength = 12

/** Whoever is given a link is told whose account it is for; a person at the console, and the test environment, know. */
export function asksFirst({ tenant, sessionId }: State): boolean {
  return tenant.environment === 'live' && sessionId === ''
}

/** The cookie that stands for a step. Of each link its own, so that two of them don't disturb each other. */
export function stepOf(signer: Signer, { nonce }: State, step: ConsentStep): { name: string; value: string } {
  return { name: `connect_${step}_${nonce.slice(0, nonceLength)}`, value: signer.signToken(stepPurpose, [step, nonce]) }
}

/** `cookie` finds one by its name among those that came along. */
export function wasTaken(
  signer: Signer,
  state: State,
  step: ConsentStep,
  cookie: (name: string) => string | null,
): boolean {
  const known = signer.verifyToken(stepPurpose, cookie(stepOf(signer, state, step).name) ?? '')
  return known !== null && known[0] === step && known[1] === state.nonce
}
