import { foreignText } from '@overture/ground/text/foreign-text.ts'

export type ImapFailure =
  | { kind: 'refused'; stage: 'auth'; message: string }
  | {
      kind: 'failed'
      stage: 'connect' | 'session'
      reason: 'timeout' | 'closed' | 'unresolved' | 'forbidden_target' | 'tls'
      message: string
    }

interface ClientError extends Error {
  code?: string
  responseText?: string
  serverResponseCode?: string
  authenticationFailed?: boolean
}

/** Converts an exception of the IMAP client to a failure. A refused login has its own kind. */
export function imapFailure(error: unknown, stage: 'connect' | 'session'): ImapFailure {
  const client: ClientError = error instanceof Error ? error : new Error(String(error))
  if (client.authenticationFailed === true) {
    // UNAVAILABLE (RFC 5530): the server can't check the login now, so the password may still be correct.
    if (client.serverResponseCode === 'UNAVAILABLE')
      return { kind: 'failed', stage, reason: 'closed', message: failureText(client) }
    return { kind: 'refused', stage: 'auth', message: failureText(client) }
  }
  const code = client.code ?? ''
  const reason = /timeout|ETIMEDOUT/i.test(code)
    ? 'timeout'
    : /TLS|SSL|CERT|SELF_SIGNED|UNABLE_TO/i.test(code)
      ? 'tls'
      : 'closed'
  return { kind: 'failed', stage, reason, message: failureText(client) }
}

function failureText(error: ClientError): string {
  return foreignText(error.responseText ?? error.message)
}
