import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  scryptSync,
  timingSafeEqual,
} from 'node:crypto'
import { createAddressSecrets } from './address-secrets.ts'
import {
  deriveAddressKey,
  lastingText,
  mergeLastingKeys,
  parseLasting,
  deriveSigningKey,
  type LastingKeys,
} from './lasting-keys.ts'
import { openParts, sealParts, type SealedParts } from './sealed-tokens.ts'
import { decodePayload, encodePayload } from './token-payload.ts'

/** Secrets at rest and signed tokens, under keys that can be rotated (docs/contract.md, "Sending accounts", docs/delivery.md). */
export interface Secrets {
  /** The id of the current encryption key. It is stored with the data to detect a wrong key at start. */
  keyId: string
  /** Encrypts with AES-256-GCM. `context`, which identifies the row, must be the same on decryption. */
  encrypt(plaintext: string, context: string): Buffer
  /** Throws SecretError if the key is unknown or the bytes were changed. */
  decrypt(sealed: Uint8Array, context: string): string
  /** True if the bytes were sealed with a key that is no longer the first. */
  needsRotation(sealed: Uint8Array): boolean
  /** Makes a URL-safe token, which is not encrypted and never expires. `purpose` distinguishes the kinds of tokens. */
  signToken(purpose: string, fields: readonly string[]): string
  /** Returns the fields, or null if we did not sign the token. */
  verifyToken(purpose: string, token: string): string[] | null
  /** Makes a URL-safe token of which one part is encrypted, for a purpose that signs no other tokens of this form. */
  sealToken(purpose: string, parts: SealedParts): string
  /** Returns the parts, or null if we did not seal the token. */
  openToken(purpose: string, token: string): SealedParts | null
  /**
   * The hash of an address that must not be stored itself. Without the key it is not possible to test addresses against it. It is
   * the same under every encryption key that a database has had.
   */
  addressHash(email: string): Buffer
  /** The `addressHash` of the address with this SHA-256. */
  digestHash(digest: Buffer): Buffer
  /** Seals an address. The same address gives the same text. */
  sealAddress(email: string): string
  /** Returns null for a text that was not sealed here. */
  openAddress(sealed: string): string | null
  /**
   * Merges the stored lasting keys with those of the current keys, and seals them with the first key. With `endOldLinks` the link
   * keys of earlier encryption keys are dropped, which invalidates their links. Use it if an earlier key was disclosed.
   */
  mergeLasting(sealed: Uint8Array | null, options?: { endOldLinks: boolean }): Buffer
}

export class SecretError extends Error {}

const lastingContext = 'settings lasting_keys'
const formatVersion = 1
const keyIdBytes = 4
const nonceBytes = 12
const tagBytes = 16
const headerBytes = 1 + keyIdBytes + nonceBytes
const signatureBytes = 16
const tokenLengthMax = 2_000

interface MasterKey {
  id: Buffer
  bytes: Buffer
}

interface SecretsOptions {
  /** The result of `mergeLasting`; null in a database that has none yet. */
  lasting: Uint8Array | null
  /** Purposes of the tokens in sent mail. These must be valid for as long as recipients keep the mail. */
  linkPurposes: readonly string[]
}

/** The first key encrypts and signs; all of them decrypt and verify. Each is 32 bytes in hex or base64, or a phrase. */
export function createSecrets(
  keys: readonly string[],
  options: SecretsOptions = { lasting: null, linkPurposes: [] },
): Secrets {
  const masters = keys.map(deriveMaster)
  const [first] = masters
  if (first === undefined) throw new SecretError('An encryption key is required.')
  const openLasting = (sealed: Uint8Array | null) =>
    sealed === null ? null : parseLasting(open(masters, sealed, lastingContext))
  const own = deriveLastingKeys(masters, first, options.linkPurposes)
  const lasting = mergeLastingKeys(openLasting(options.lasting), own)
  return {
    keyId: first.id.toString('hex'),
    encrypt: (plaintext, context) => seal(first, plaintext, context),
    decrypt: (sealed, context) => open(masters, sealed, context),
    needsRotation: (sealed) => !first.id.equals(sealed.subarray(1, 1 + keyIdBytes)),
    ...createTokens(masters, first, lasting),
    ...createAddressSecrets(lasting.address),
    mergeLasting(sealed, { endOldLinks } = { endOldLinks: false }) {
      const merged = mergeLastingKeys(openLasting(sealed), own)
      const links = deriveLastingKeys([first], first, options.linkPurposes).links
      return seal(first, lastingText(endOldLinks ? { ...merged, links } : merged), lastingContext)
    },
  }
}

type Tokens = Pick<Secrets, 'signToken' | 'verifyToken' | 'sealToken' | 'openToken'>

function createTokens(masters: readonly MasterKey[], first: MasterKey, lasting: LastingKeys): Tokens {
  const signing = new Map<string, Buffer>()
  const signingKey = (master: MasterKey, purpose: string): Buffer => {
    const name = `${master.id.toString('hex')} ${purpose}`
    const known = signing.get(name)
    if (known !== undefined) return known
    const key = deriveSigningKey(master.bytes, purpose)
    signing.set(name, key)
    return key
  }
  const knownKeys = (purpose: string): Buffer[] => [
    ...masters.map((master) => signingKey(master, purpose)),
    ...(lasting.links[purpose] ?? []),
  ]
  return {
    signToken(purpose, fields) {
      const payload = encodePayload(fields)
      return `${payload}.${sign(signingKey(first, purpose), payload).toString('base64url')}`
    },
    verifyToken(purpose, token) {
      if (token.length > tokenLengthMax) return null
      const end = token.lastIndexOf('.')
      const [payload, signature] = [token.slice(0, Math.max(0, end)), token.slice(end + 1)]
      const given = Buffer.from(signature, 'base64url')
      // The text is compared too, because base64url has several spellings of the same bytes.
      if (given.length !== signatureBytes || given.toString('base64url') !== signature) return null
      const genuine = knownKeys(purpose).some((key) => timingSafeEqual(sign(key, payload), given))
      return genuine ? decodePayload(payload) : null
    },
    sealToken: (purpose, parts) => sealParts(signingKey(first, purpose), parts),
    openToken: (purpose, token) => (token.length > tokenLengthMax ? null : openParts(knownKeys(purpose), token)),
  }
}

function deriveLastingKeys(masters: readonly MasterKey[], first: MasterKey, purposes: readonly string[]): LastingKeys {
  return {
    address: deriveAddressKey(first.bytes),
    links: Object.fromEntries(
      purposes.map((purpose) => [purpose, masters.map((master) => deriveSigningKey(master.bytes, purpose))]),
    ),
  }
}

function seal(master: MasterKey, plaintext: string, context: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const header = Buffer.concat([Buffer.from([formatVersion]), master.id, nonce])
  const cipher = createCipheriv('aes-256-gcm', master.bytes, nonce)
  cipher.setAAD(Buffer.concat([header, Buffer.from(context)]))
  return Buffer.concat([header, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

function open(masters: readonly MasterKey[], sealed: Uint8Array, context: string): string {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  if (bytes.length < headerBytes + tagBytes || bytes[0] !== formatVersion) {
    throw new SecretError('This secret is not in a known format.')
  }
  const header = bytes.subarray(0, headerBytes)
  const master = masters.find((key) => key.id.equals(header.subarray(1, 1 + keyIdBytes)))
  if (master === undefined) throw new SecretError('This secret was encrypted with a key that is not configured.')
  const decipher = createDecipheriv('aes-256-gcm', master.bytes, header.subarray(1 + keyIdBytes))
  decipher.setAAD(Buffer.concat([header, Buffer.from(context)]))
  decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes))
  try {
    return (
      decipher.update(bytes.subarray(headerBytes, bytes.length - tagBytes), undefined, 'utf8') + decipher.final('utf8')
    )
  } catch {
    throw new SecretError('This secret was changed, or belongs to another row.')
  }
}

function sign(key: Buffer, payload: string): Buffer {
  return createHmac('sha256', key).update(payload).digest().subarray(0, signatureBytes)
}

function deriveMaster(text: string): MasterKey {
  const bytes = keyBytes(text)
  return { bytes, id: createHash('sha256').update('overture key id').update(bytes).digest().subarray(0, keyIdBytes) }
}

function keyBytes(text: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  const decoded = Buffer.from(text, 'base64')
  if (decoded.length === 32 && /^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return decoded
  // A phrase is stretched with scrypt, so that guessing is expensive even for an attacker who has the database.
  return scryptSync(text, 'overture encryption key', 32)
}
