/** Why a request for access ends on a page of the console, and not at the client. */
type RequestProblem = 'over' | 'unknown' | 'redirect' | 'invalid'

const problems: Readonly<Record<string, RequestProblem>> = {
  invalid_client: 'unknown',
  invalid_client_metadata: 'unknown',
  invalid_redirect_uri: 'redirect',
}

/** Names the problem by the error code of the authorization server. A decided request can only be over. */
export function requestProblem(error: string, isDecided: boolean): RequestProblem {
  if (isDecided) return 'over'
  return Object.hasOwn(problems, error) ? problems[error]! : 'invalid'
}

interface Redirect {
  status: number
  location: string | undefined
  body: string
}

/**
 * The error of an answer to a new request for access, or null if the browser continues on the consent page. No user has decided
 * yet, and any program can register as a client, so even an error is not sent to its address (RFC 9700, 4.11.2).
 */
export function refusedRequest(answer: Redirect, ownPage: string): { error: string; description: string } | null {
  const { status, location } = answer
  if (location === ownPage && status < 400) return null
  const parameters = location === undefined ? null : URL.parse(location)?.searchParams
  const given = parameters === undefined || parameters === null ? readBody(answer.body) : Object.fromEntries(parameters)
  return { error: text(given['error']) || 'invalid_request', description: text(given['error_description']) }
}

function readBody(body: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(body) as object) }
  } catch {
    return {}
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
