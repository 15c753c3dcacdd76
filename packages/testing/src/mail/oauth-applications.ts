import { constants, createHash, createPublicKey, verify, X509Certificate } from 'node:crypto'
import { googleFaults, microsoftFault, type MicrosoftFault } from './oauth-application-words.ts'

/** An application at Microsoft that logs in without a user. */
export interface DoubleApplication {
  tenantId: string
  clientSecret?: string
  /** The uploaded certificate, as PEM. */
  certificate?: string
  /** Mailboxes for which an administrator ran Add-MailboxPermission. */
  mailboxes: readonly string[]
}

/** A service account at Google with domain-wide delegation. */
export interface DoubleServiceAccount {
  keyId: string
  /** PEM. */
  publicKey: string
  /** Scopes in the Admin console; none before an administrator has authorized the client. */
  scopes: readonly string[]
  /** Mailboxes of the organization. */
  mailboxes: readonly string[]
}

export interface Applications {
  /** By client id. */
  applications?: Record<string, DoubleApplication>
  /** By `client_email`. */
  serviceAccounts?: Record<string, DoubleServiceAccount>
}

type Answer = [number, unknown]
type Decision = { kind: 'granted'; mailboxes: readonly string[] } | { kind: 'refused'; answer: Answer }

interface Jwt {
  header: Record<string, unknown>
  claims: Record<string, unknown>
  signed: Buffer
  signature: Buffer
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const hourSeconds = 3600
const skewSeconds = 300

/** Whether a request is the login of an application and not that of a mailbox's owner. */
export function isApplicationLogin(path: string, form: Record<string, string>): boolean {
  return path.endsWith('/oauth2/v2.0/token') || form['grant_type'] === bearerGrant
}

/** Decides on a login by client credentials (Microsoft) or by a JWT bearer grant (Google), as the providers document them. */
export function decideApplication(
  known: Applications,
  { path, form, url, nowSeconds }: { path: string; form: Record<string, string>; url: string; nowSeconds: number },
): Decision {
  return path.endsWith('/oauth2/v2.0/token')
    ? decideMicrosoft(known.applications ?? {}, {
        tenantId: path.split('/')[1] ?? '',
        form,
        endpoint: url + path,
        nowSeconds,
      })
    : decideGoogle(known.serviceAccounts ?? {}, { form, endpoint: url + path, nowSeconds })
}

interface MicrosoftLogin {
  tenantId: string
  form: Record<string, string>
  endpoint: string
  nowSeconds: number
}

function decideMicrosoft(applications: Record<string, DoubleApplication>, login: MicrosoftLogin): Decision {
  const { tenantId, form } = login
  const clientId = form['client_id'] ?? ''
  const refused = (fault: MicrosoftFault): Decision => ({
    kind: 'refused',
    answer: microsoftFault(fault, { tenantId, clientId, scope: form['scope'] ?? '' }),
  })
  if (!Object.values(applications).some((one) => one.tenantId === tenantId)) return refused('unknown_tenant')
  const application = applications[clientId]
  if (application?.tenantId !== tenantId) return refused('unknown_application')
  if (form['grant_type'] !== 'client_credentials') return refused('wrong_grant')
  const fault =
    form['client_assertion'] === undefined ? secretFault(application, form) : assertionFault(application, login)
  if (fault !== null) return refused(fault)
  if (form['scope'] !== 'https://outlook.office365.com/.default') return refused('wrong_scope')
  return { kind: 'granted', mailboxes: application.mailboxes }
}

function secretFault({ clientSecret }: DoubleApplication, form: Record<string, string>): MicrosoftFault | null {
  if (form['client_secret'] === undefined) return 'no_credential'
  return clientSecret !== undefined && form['client_secret'] === clientSecret ? null : 'wrong_secret'
}

function assertionFault(
  { certificate }: DoubleApplication,
  { form, endpoint, nowSeconds }: MicrosoftLogin,
): MicrosoftFault | null {
  const jwt = jwtIn(form['client_assertion'] ?? '')
  if (jwt === null || form['client_assertion_type'] !== assertionType) return 'malformed_assertion'
  const registered = certificate === undefined ? null : new X509Certificate(certificate)
  const thumbprint = registered && createHash('sha256').update(registered.raw).digest('base64url')
  if (registered === null || jwt.header['x5t#S256'] !== thumbprint) return 'unknown_key'
  const key = { key: registered.publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
  if (jwt.header['alg'] !== 'PS256' || !verify('sha256', jwt.signed, key, jwt.signature)) return 'wrong_signature'
  const { aud, iss, sub, jti, exp, nbf } = jwt.claims
  if (aud !== endpoint) return 'wrong_audience'
  if (iss !== form['client_id'] || sub !== form['client_id'] || typeof jti !== 'string') return 'wrong_issuer'
  const inTime =
    typeof exp === 'number' && typeof nbf === 'number' && exp > nowSeconds && nbf <= nowSeconds + skewSeconds
  return inTime ? null : 'wrong_time'
}

interface GoogleLogin {
  form: Record<string, string>
  endpoint: string
  nowSeconds: number
}

function decideGoogle(
  accounts: Record<string, DoubleServiceAccount>,
  { form, endpoint, nowSeconds }: GoogleLogin,
): Decision {
  const refused = (fault: keyof typeof googleFaults): Decision => ({ kind: 'refused', answer: googleFaults[fault] })
  const jwt = jwtIn(form['assertion'] ?? '')
  const { iss, sub, scope, aud, iat, exp } = jwt?.claims ?? {}
  const account = typeof iss === 'string' ? accounts[iss] : undefined
  if (jwt === null || account === undefined) return refused('unknownAccount')
  const { keyId, publicKey } = account
  const isSigned =
    jwt.header['alg'] === 'RS256' &&
    jwt.header['kid'] === keyId &&
    verify('sha256', jwt.signed, createPublicKey(publicKey), jwt.signature)
  if (!isSigned) return refused('wrongSignature')
  if (aud !== endpoint) return refused('wrongAudience')
  const inTime =
    typeof iat === 'number' &&
    typeof exp === 'number' &&
    exp > nowSeconds &&
    exp - iat <= hourSeconds &&
    iat <= nowSeconds + skewSeconds
  if (!inTime) return refused('wrongTime')
  const scopes = typeof scope === 'string' ? scope.split(' ') : []
  if (scopes.length === 0 || scopes.some((one) => !account.scopes.includes(one))) return refused('unauthorized')
  const mailbox = account.mailboxes.find((one) => one === sub)
  return mailbox === undefined ? refused('unknownMailbox') : { kind: 'granted', mailboxes: [mailbox] }
}

function jwtIn(text: string): Jwt | null {
  const [header = '', claims = '', signature = '', ...rest] = text.split('.')
  try {
    const part = (one: string) => JSON.parse(Buffer.from(one, 'base64url').toString()) as Record<string, unknown>
    if (rest.length > 0) return null
    return {
      header: part(header),
      claims: part(claims),
      signed: Buffer.from(`${header}.${claims}`),
      signature: Buffer.from(signature, 'base64url'),
    }
  } catch {
    return null
  }
}
