import { createPrivateKey, sign, X509Certificate, type KeyObject } from 'node:crypto'
import type { ValidationIssue } from '@overture/contract/errors.ts'
import type {
  ConnectGoogleInput,
  ConnectMicrosoftInput,
  ConnectTenantInput,
} from '@overture/contract/sending-accounts/tenant-connections.ts'

export interface MicrosoftLogin {
  provider: 'microsoft'
  tenantId: string
  clientId: string
  credential:
    | { kind: 'secret'; clientSecret: string }
    /** `thumbprint`: the SHA-256 of the certificate's DER encoding, base64url. */
    | { kind: 'certificate'; privateKey: string; thumbprint: string }
}

export interface GoogleLogin {
  provider: 'google'
  clientEmail: string
  privateKeyId: string
  privateKey: string
}

/** The login of a connection. It is encrypted at rest. */
export type ConnectionLogin = MicrosoftLogin | GoogleLogin

/** A connection as an administrator enters it. */
export interface EnteredConnection {
  login: ConnectionLogin
  /** The organization as its provider names it: the tenant id at Microsoft, the domain at Google. */
  organization: string
  domain: string | null
  clientId: string
  adminEmail: string | null
  /** The mailbox that proves the login. Microsoft needs none. */
  mailbox: string
  /** The field with the secret, for the provider's refusal. */
  secretField: 'clientSecret' | 'certificate' | 'serviceAccountKey'
}

type ReadConnection =
  | { kind: 'connection'; connection: EnteredConnection }
  | { kind: 'invalid'; issue: ValidationIssue }

/** Microsoft and Google accept RSA keys of at least this length. */
const keyBitsMin = 2048
/** Characters of a PEM. A key of 8,192 bits has about 6,500. */
const pemLengthMax = 8_000
/** A longer key would make each login slow. */
const keyBitsMax = 8192
const otherKey = `Use an RSA key of ${keyBitsMin} to ${keyBitsMax} bits.`
const fieldLengthMax = 300

/** Reads the keys and certificates that the schema accepts as text. */
export function readConnection(input: ConnectTenantInput, now: Date): ReadConnection {
  return input.provider === 'microsoft' ? readMicrosoft(input, now) : readGoogle(input)
}

function readMicrosoft(
  { tenantId, clientId, clientSecret, certificate }: ConnectMicrosoftInput,
  now: Date,
): ReadConnection {
  const [tenant, client] = [tenantId.toLowerCase(), clientId.toLowerCase()]
  const connected = (credential: MicrosoftLogin['credential'], secretField: EnteredConnection['secretField']) => ({
    kind: 'connection' as const,
    connection: {
      login: { provider: 'microsoft' as const, tenantId: tenant, clientId: client, credential },
      organization: tenant,
      domain: null,
      clientId: client,
      adminEmail: null,
      mailbox: '',
      secretField,
    },
  })
  if (certificate === undefined) return connected({ kind: 'secret', clientSecret: clientSecret ?? '' }, 'clientSecret')
  const key = rsaKeyIn(certificate.privateKey)
  if (typeof key === 'string') return invalid('certificate.privateKey', key)
  const known = certificateIn(certificate.certificate)
  if (known === null) return invalid('certificate.certificate', 'Send a certificate in PEM format.')
  if (!known.checkPrivateKey(key))
    return invalid('certificate.privateKey', 'The private key does not match the certificate.')
  if (new Date(known.validTo) <= now)
    return invalid('certificate.certificate', `The certificate expired on ${known.validTo}.`)
  const thumbprint = Buffer.from(known.fingerprint256.replaceAll(':', ''), 'hex').toString('base64url')
  return connected({ kind: 'certificate', privateKey: exportPem(key), thumbprint }, 'certificate')
}

function readGoogle({ serviceAccountKey, adminEmail }: ConnectGoogleInput): ReadConnection {
  const path = 'serviceAccountKey'
  const fields = typeof serviceAccountKey === 'string' ? objectIn(serviceAccountKey) : serviceAccountKey
  if (fields === null) return invalid(path, 'Send the JSON of a key file.')
  const text = (name: string): string => {
    const value = fields[name]
    return typeof value === 'string' ? value : ''
  }
  if (text('type') !== 'service_account')
    return invalid(
      path,
      'This is not a service account key. Create a key of the type JSON in Google Cloud, under Keys.',
    )
  const names = ['client_email', 'client_id', 'private_key_id'] as const
  for (const name of names)
    if (!/^[!-~]+$/.test(text(name)) || text(name).length > fieldLengthMax)
      return invalid(path, `The key has no ${name}.`)
  const key = rsaKeyIn(text('private_key'))
  if (typeof key === 'string') return invalid(path, key)
  const domain = adminEmail.slice(adminEmail.lastIndexOf('@') + 1).toLowerCase()
  return {
    kind: 'connection',
    connection: {
      login: {
        provider: 'google',
        clientEmail: text('client_email'),
        privateKeyId: text('private_key_id'),
        privateKey: exportPem(key),
      },
      organization: domain,
      domain,
      clientId: text('client_id'),
      adminEmail,
      mailbox: adminEmail,
      secretField: 'serviceAccountKey',
    },
  }
}

/** Returns the key, or why no provider accepts it. */
function rsaKeyIn(pem: string): KeyObject | string {
  // A longer text can hold a huge exponent, and reading such a key blocks the process for minutes.
  if (pem.length > pemLengthMax) return otherKey
  try {
    const key = createPrivateKey({ key: pem, format: 'pem' })
    const bits = key.asymmetricKeyType === 'rsa' ? (key.asymmetricKeyDetails?.modulusLength ?? 0) : 0
    if (bits < keyBitsMin || bits > keyBitsMax) return otherKey
    // Some damaged keys can be read but can't sign.
    sign('sha256', Buffer.from('a constant'), key)
    return key
  } catch {
    return 'Send a private key in PEM format without a passphrase.'
  }
}

function exportPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function certificateIn(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem)
  } catch {
    return null
  }
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function invalid(path: string, message: string): ReadConnection {
  return { kind: 'invalid', issue: { path, rule: 'format', message } }
}
