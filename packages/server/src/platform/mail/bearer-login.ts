/** Logging in to SMTP with an OAuth access token. Sources: RFC 4954, RFC 7628, and the XOAUTH2 pages of Google and Microsoft. */

/** Preferred first: both large providers document XOAUTH2; OAUTHBEARER is the standard's own (RFC 7628). */
const mechanisms = ['XOAUTH2', 'OAUTHBEARER'] as const

type BearerMechanism = (typeof mechanisms)[number]

/**
 * The mechanism for an access token among those that the server offers in its reply to EHLO. Null if it offers none of
 * them: a token must never be sent as a password, so the caller has to give up.
 */
export function bearerMechanism(ehloReply: string): BearerMechanism | null {
  const offered = new Set(
    ehloReply
      .split('\n')
      .map((line) => /^\d{3}[ -]AUTH[ =](.*)$/i.exec(line.trim())?.[1] ?? '')
      .flatMap((names) => names.toUpperCase().split(/[ =]/)),
  )
  return mechanisms.find((mechanism) => offered.has(mechanism)) ?? null
}

interface BearerLogin {
  mechanism: BearerMechanism
  username: string
  accessToken: string
  host: string
  port: number
}

/** The initial response, in Base64. */
export function bearerResponse({ mechanism, username, accessToken, host, port }: BearerLogin): string {
  const bearer = `auth=Bearer ${accessToken}`
  const fields =
    mechanism === 'XOAUTH2'
      ? [`user=${username}`, bearer]
      : [`n,a=${saslName(username)},`, `host=${host}`, `port=${port}`, bearer]
  return Buffer.from(`${fields.join('\u0001')}\u0001\u0001`).toString('base64')
}

/** The reply to a 334 that contains the error in JSON, so that the server sends its final reply. */
export function bearerCancel(mechanism: BearerMechanism): string {
  return mechanism === 'XOAUTH2' ? '' : Buffer.from('\u0001').toString('base64')
}

/** A name in a GS2 header: comma and equals sign are escaped (RFC 5801, section 4). */
function saslName(username: string): string {
  return username.replaceAll('=', '=3D').replaceAll(',', '=2C')
}
