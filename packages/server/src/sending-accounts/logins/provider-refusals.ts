import type { OAuthProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import { foreignText } from '@overture/ground/text/foreign-text.ts'
import { applicationAdvice, findApplicationRefusal } from './application-refusals.ts'

/** The person who can fix a refusal: the mailbox's owner, an administrator at the provider, or the operator of this server. */
type Solver = 'owner' | 'administrator' | 'operator'

interface KnownRefusal {
  /** Microsoft's number, or the OAuth error. */
  code: string
  provider?: OAuthProvider
  solver: Solver
  advice: string
}

/** A provider's refusal to connect a mailbox or to renew its access, for people. */
interface ProviderRefusal {
  /** A code such as `AADSTS65001`, else the OAuth error such as `access_denied`. */
  code: string
  solver: Solver
  /** The code, the provider's text and our advice. */
  message: string
}

/** The start of advice that only the operator of this server can follow. */
const askOperator = 'Ask your operator'
const askAdministrator = 'Ask your Microsoft 365 administrator'

/**
 * Source: learn.microsoft.com/entra/identity-platform/reference-error-codes and
 * developers.google.com/identity/protocols/oauth2/web-server. The first match counts, so numbers come before names.
 */
const known: readonly KnownRefusal[] = [
  microsoft('65001', 'administrator', `${askAdministrator} to consent for the whole organization, then connect again.`),
  microsoft('90094', 'administrator', `${askAdministrator} to consent: people of this organization may not do it.`),
  microsoft('900941', 'administrator', `${askAdministrator} to consent: people of this organization may not do it.`),
  microsoft('90093', 'administrator', `${askAdministrator} to consent: people of this organization may not do it.`),
  microsoft('90095', 'administrator', `${askAdministrator} to approve the request that was sent, then connect again.`),
  microsoft('65004', 'owner', 'Connect again and choose Accept on the page of Microsoft.'),
  microsoft('50105', 'administrator', `${askAdministrator} to assign this user to the application in Entra.`),
  microsoft('7000222', 'operator', `${askOperator}: the client secret of this installation has expired at Microsoft.`),
  microsoft('7000215', 'operator', `${askOperator}: Microsoft does not know the client secret of this installation.`),
  microsoft('7000218', 'operator', `${askOperator}: this installation has no client secret for Microsoft.`),
  microsoft('700016', 'operator', `${askOperator}: Microsoft does not know the application of this installation.`),
  microsoft(
    '50011',
    'operator',
    `${askOperator}: the redirect URI of this installation is not registered at Microsoft.`,
  ),
  microsoft('500112', 'operator', `${askOperator}: the redirect URI of this installation changed during the login.`),
  microsoft('50194', 'operator', `${askOperator}: the application is registered for one organization only.`),
  microsoft('650052', 'administrator', `${askAdministrator} for a licence with Exchange Online, then connect again.`),
  microsoft('53000', 'administrator', `${askAdministrator} to let this application pass conditional access.`),
  microsoft('53003', 'administrator', `${askAdministrator} to let this application pass conditional access.`),
  microsoft('50076', 'owner', 'Connect again and confirm the login with your second factor.'),
  microsoft('50079', 'owner', 'Set up a second factor at Microsoft, then connect again.'),
  microsoft('50173', 'owner', 'The password was changed or the session was revoked: connect the mailbox again.'),
  microsoft('50057', 'administrator', `${askAdministrator} to enable this user again.`),
  microsoft('50034', 'owner', 'Microsoft does not know this user: connect again with the address of the mailbox.'),
  microsoft('50020', 'owner', 'Connect again and choose the user of the organization that the mailbox belongs to.'),
  microsoft('54005', 'owner', 'This login was already used: connect again.'),
  microsoft('700082', 'owner', 'The access was not used for 90 days: connect the mailbox again.'),
  microsoft('70008', 'owner', 'The access has expired: connect the mailbox again.'),
  microsoft('70000', 'owner', 'The login is not valid any more: connect the mailbox again.'),
  google(
    'admin_policy_enforced',
    'administrator',
    'Ask your Google Workspace administrator to trust this application.',
  ),
  google('org_internal', 'operator', `${askOperator}: the application at Google is limited to one organization.`),
  google('invalid_client', 'operator', `${askOperator}: Google refuses the client secret of this installation.`),
  google('deleted_client', 'operator', `${askOperator}: the application of this installation was deleted at Google.`),
  google('redirect_uri_mismatch', 'operator', `${askOperator}: the redirect URI is not registered at Google.`),
  any('invalid_client', 'operator', `${askOperator}: the provider refuses the client of this installation.`),
  any('unauthorized_client', 'operator', `${askOperator}: the provider refuses the client of this installation.`),
  any('access_denied', 'owner', 'Connect again and allow access on the page of the provider.'),
  any('consent_required', 'administrator', 'Ask your administrator to consent, then connect again.'),
  any('interaction_required', 'owner', 'The provider asks for a new login: connect the mailbox again.'),
  any('login_required', 'owner', 'The provider asks for a new login: connect the mailbox again.'),
  any('invalid_grant', 'owner', 'The access was revoked or has expired: connect the mailbox again.'),
]

const errorLengthMax = 60
const textLengthMax = 280
const microsoftNumber = /\bAADSTS(\d{4,8})\b/
// Microsoft adds these lines for its support after each sentence.
const traceLines = /\s*Trace ID:.*$/s

/** Finds the refusal in the provider's text. Returns null if it names nothing that a person can fix; the provider may be down then. */
export function findProviderRefusal(
  provider: OAuthProvider,
  { error, description }: { error: string; description: string | null },
): ProviderRefusal | null {
  const number = microsoftNumber.exec(description ?? '')?.[1]
  const found = known.find(
    (one) =>
      (one.provider === undefined || one.provider === provider) &&
      (one.code === error || (number !== undefined && one.code === `AADSTS${number}`)),
  )
  if (found === undefined) return null
  return {
    code: number === undefined ? found.code : `AADSTS${number}`,
    solver: found.solver,
    message: `${joinWords(error, description)} ${found.advice}`,
  }
}

/** Like `findProviderRefusal`, for the login of a whole organization. An administrator fixes it, unless it is about one `mailbox`. */
export function findConnectionRefusal(
  provider: OAuthProvider,
  { error, description }: { error: string; description: string | null },
): { code: string; message: string; mailbox: boolean } | null {
  const number = microsoftNumber.exec(description ?? '')?.[1]
  const found = findApplicationRefusal(provider, { error, description: description ?? '', number })
  if (found === null) return null
  return {
    code: number === undefined ? found.code : `AADSTS${number}`,
    message: `${joinWords(error, description)} ${found.advice}`,
    mailbox: found.mailbox === true,
  }
}

/** The provider's error and text on one line, cleaned and limited in length. It ends with a full stop. */
export function joinWords(error: string, description: string | null): string {
  const name = oneLine(error, errorLengthMax)
  const text = oneLine((description ?? '').replace(traceLines, ''), textLengthMax)
  const words = text === '' || text === name ? name : `${name}: ${text}`
  return /[.!?]$/.test(words) ? words : `${words}.`
}

/** Whether only the operator of this server can fix a stored error. */
export function isForOperator(error: string): boolean {
  return known.some(({ solver, advice }) => solver === 'operator' && error.endsWith(advice))
}

/** Splits a stored refusal into the provider's text and our advice. The advice is null if there is none. */
export function splitAdvice(message: string): { words: string; advice: string | null } {
  const all = [...known.map((one) => one.advice), ...applicationAdvice]
  const advice = all.find((one) => message.endsWith(` ${one}`)) ?? null
  return { words: advice === null ? message : message.slice(0, -advice.length - 1), advice }
}

function oneLine(text: string, lengthMax: number): string {
  return foreignText(
    foreignText(text, 4 * lengthMax)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    lengthMax,
  ).trim()
}

function microsoft(number: string, solver: Solver, advice: string): KnownRefusal {
  return { code: `AADSTS${number}`, provider: 'microsoft', solver, advice }
}

function google(code: string, solver: Solver, advice: string): KnownRefusal {
  return { code, provider: 'google', solver, advice }
}

function any(code: string, solver: Solver, advice: string): KnownRefusal {
  return { code, solver, advice }
}
