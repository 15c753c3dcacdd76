import { serverPlace, type FoundServer, type SmtpServer } from '@overture/contract/sending-accounts/sending-accounts.ts'

/** The placeholder for the address in a login name, as in autoconfig files. */
export const wholeAddress = '%EMAILADDRESS%'

export interface ServerTemplate {
  host: string
  port: number
  security: SmtpServer['security']
  username: string
}

export interface ServerPair {
  smtp: ServerTemplate | null
  imap: ServerTemplate | null
}

export function server(host: string, port: number, security: SmtpServer['security'], username = wholeAddress) {
  return { host, port, security, username }
}

/** A server with valid fields for an account, or null if no account could have it, whatever the source. */
export function fillIn(template: ServerTemplate | null, email: string): FoundServer | null {
  if (template === null) return null
  const place = serverPlace.safeParse({
    host: filled(template.host, email).toLowerCase().replace(/\.$/, ''),
    port: template.port,
    security: template.security,
    username: filled(template.username, email),
  })
  return place.success ? place.data : null
}

function filled(text: string, email: string): string {
  const at = email.lastIndexOf('@')
  const values: Record<string, string> = {
    EMAILADDRESS: email,
    EMAILLOCALPART: email.slice(0, at),
    EMAILDOMAIN: email.slice(at + 1),
  }
  return text.replaceAll(/%(EMAILADDRESS|EMAILLOCALPART|EMAILDOMAIN)%/g, (_all, name: string) => values[name] ?? '')
}
