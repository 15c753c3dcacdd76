import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { urlDigits } from '@overture/ground/text/id-form.ts'

/** The two parts of a token: everyone can read `shown`, and only the holder of the key reads `hidden`. Both are `[\w-]*`. */
export interface SealedParts {
  shown: string
  hidden: string
}

const tagBytes = 12
const tagChars = 16
const sealedToken = new RegExp(`^([\\w-]+)\\.([\\w-]{${tagChars}})([\\w-]*)$`)

/**
 * Signs both parts and encrypts `hidden` without making it longer. The signature is the nonce of the encryption (a synthetic IV,
 * RFC 5297 section 1.3.2), so that one key can seal any number of texts, and the same parts give the same token.
 */
export function sealParts(key: Buffer, parts: SealedParts): string {
  const tag = authenticationTag(key, parts)
  return `${parts.shown}.${tag.toString('base64url')}${mix(key, tag, parts.hidden)}`
}

/** Returns the parts, or null unless one of the keys sealed them. */
export function openParts(keys: readonly Buffer[], token: string): SealedParts | null {
  const [, shown, signature, sealed] = sealedToken.exec(token) ?? []
  if (shown === undefined || signature === undefined || sealed === undefined) return null
  const tag = Buffer.from(signature, 'base64url')
  for (const key of keys) {
    const parts = { shown, hidden: mix(key, tag, sealed) }
    if (timingSafeEqual(authenticationTag(key, parts), tag)) return parts
  }
  return null
}

function authenticationTag(key: Buffer, { shown, hidden }: SealedParts): Buffer {
  return createHmac('sha256', subKey(key, 'tag')).update(`${shown}.${hidden}`).digest().subarray(0, tagBytes)
}

/** Encrypts and decrypts: adds six bits of the key stream to each character. */
function mix(key: Buffer, tag: Buffer, text: string): string {
  const counter = Buffer.concat([tag], 16)
  const stream = createCipheriv('aes-256-ctr', subKey(key, 'stream'), counter).update(Buffer.alloc(text.length))
  return Array.from(text, (char, at) => urlDigits[urlDigits.indexOf(char) ^ (stream[at]! & 63)]).join('')
}

function subKey(key: Buffer, name: string): Buffer {
  return createHmac('sha256', key).update(`sealed token ${name}`).digest()
}
