/** Shown instead of a text that only the recipient's own keys can open. */
export const encryptedText = "This message is encrypted, so its text can't be shown here. Open it in your mail program."

const signed = '-----BEGIN PGP SIGNED MESSAGE-----'
const signature = '-----BEGIN PGP SIGNATURE-----'
const encrypted = '-----BEGIN PGP MESSAGE-----'

/** Removes the armour of OpenPGP (RFC 9580, 7). Signed text stays as written; encrypted text is replaced by a notice. */
export function withoutArmour(text: string): { text: string; encrypted: boolean } {
  const isSigned = text.includes(signed)
  const plain = isSigned ? withoutSignature(text) : text
  const start = plain.indexOf(encrypted)
  if (start === -1) return { text: plain, encrypted: false }
  const end = plain.indexOf('-----END PGP MESSAGE-----', start)
  // A quoted block belongs to an older message.
  if (end === -1 || (start > 0 && plain[start - 1] !== '\n')) return { text: plain, encrypted: false }
  const rest = plain.slice(end + '-----END PGP MESSAGE-----'.length)
  return { text: `${plain.slice(0, start)}${encryptedText}${rest}`, encrypted: true }
}

function withoutSignature(text: string): string {
  const start = text.indexOf(signed)
  const signatureStart = text.indexOf(signature, start)
  if ((start > 0 && text[start - 1] !== '\n') || signatureStart === -1) return text
  const bodyStart = text.indexOf('\n\n', start)
  if (bodyStart === -1 || bodyStart > signatureStart) return text
  const end = text.indexOf('-----END PGP SIGNATURE-----', signatureStart)
  const body = text.slice(bodyStart + 2, signatureStart).replace(/^- /gm, '')
  const rest = end === -1 ? '' : text.slice(end + '-----END PGP SIGNATURE-----'.length)
  return `${text.slice(0, start)}${body}${rest}`
}
