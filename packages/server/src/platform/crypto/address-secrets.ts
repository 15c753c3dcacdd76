import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16

/** Hashes and seals addresses with one key. */
export function createAddressSecrets(key: Buffer) {
  const hashKey = subKey(key, 'hash')
  const sealKey = subKey(key, 'seal')
  const digestHash = (digest: Buffer): Buffer => createHmac('sha256', hashKey).update(digest).digest()
  return {
    digestHash,
    addressHash: (email: string): Buffer => digestHash(createHash('sha256').update(email).digest()),
    sealAddress(email: string): string {
      // The nonce is not random but derived from the text: it differs for each text, and a link that is written again stays the same.
      const nonce = createHmac('sha256', sealKey).update(email).digest().subarray(0, nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce)
      const body = Buffer.concat([cipher.update(email, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')
    },
    openAddress(sealed: string): string | null {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < nonceBytes + tagBytes) return null
      const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, nonceBytes))
      decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes))
      try {
        const body = bytes.subarray(nonceBytes, bytes.length - tagBytes)
        return decipher.update(body, undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return null
      }
    },
  }
}

function subKey(key: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `overture address ${name}`, 32))
}
