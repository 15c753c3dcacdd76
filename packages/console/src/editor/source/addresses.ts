const opening = /^\s*([a-z][a-z\d+.-]*):/i
const schemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel'])

/** Whether a link may have this address: a web, mail or phone address, or one that a variable contains. */
export function isSafeAddress(address: string | undefined): address is string {
  if (address === undefined || address.trim() === '') return false
  const scheme = opening.exec(address)?.[1]
  return scheme === undefined ? /^(?:\s*\{\{|#|\/\/|www\.)/i.test(address) : schemes.has(scheme.toLowerCase())
}

/** The address that a person typed, with the scheme that they left out, or null if it can't be one. */
export function typedAddress(typed: string): string | null {
  const text = typed.trim()
  if (text === '' || /\s/.test(text.replaceAll(/\{\{.*?\}\}/g, ''))) return null
  if (opening.test(text) || text.startsWith('{{')) return isSafeAddress(text) ? text : null
  if (/^[^@/]+@[^@/]+\.[^@/]+$/.test(text)) return `mailto:${text}`
  return /^[^./]+\.[^.]/.test(text) ? `https://${text}` : null
}
