/** Of what a mail says, at most this much is shown: the rest is read in the console. */
export const untrustedCharactersMax = 2_000
const hostCharactersMax = 253

// What is not seen and may still be read, as ranges of a character class.
const unseen = [
  // Controls, but for tab and line feed.
  '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f',
  // Of no width, fillers, marks that turn the direction of writing.
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f',
  '\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{1d173}-\\u{1d17a}',
  // Variation selectors and tags, in which whole sentences can be hidden.
  '\\ufe00-\\ufe0f\\u{e0000}-\\u{e0fff}',
]
const hidden = new RegExp(`[${unseen.join('')}]`, 'gu')
const link = /\b(?:https?|ftp):\/\/[^\s<>"]{1,4000}|\bwww\.[^\s<>"]{1,4000}|\bmailto:[^\s<>"]{1,4000}/giu

/** Without anything that a person would not see. */
export function visible(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replaceAll(hidden, '')
}

/** What a stranger wrote, for a reader who may take words for orders: plain, short, its links as the names of their hosts. */
export function untrusted(text: string): string {
  const plain = visible(text).replaceAll(link, (url) => `[link to ${hostOf(url)}]`)
  return plain.length > untrustedCharactersMax ? `${cut(plain)} […]` : plain
}

/** Every host that a text leads to, `www.` and a scheme or not. */
export function hostsIn(text: string): string[] {
  const named = [...visible(text).matchAll(link)].map(([url]) => hostOf(url))
  const bare = [...visible(text).matchAll(bareHost)].map(([host]) => host.toLowerCase())
  return [...new Set([...named, ...bare].map((host) => host.replace(/^www\./, '')))]
}

// Mail programs make links of bare names, too. The last part has letters alone, so that 3.5 and 10.30 are none.
const bareHost = /(?<![\w@.-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24}(?![\w-])/giu

function hostOf(url: string): string {
  const whole = url.toLowerCase().startsWith('www.') ? `http://${url}` : url
  if (!URL.canParse(whole)) return 'an unreadable address'
  const { protocol, hostname, pathname } = new URL(whole)
  const host = protocol === 'mailto:' ? (pathname.split('@').at(-1) ?? '') : hostname
  return host.slice(0, hostCharactersMax) || 'an unreadable address'
}

function cut(text: string): string {
  return text.slice(0, untrustedCharactersMax).toWellFormed()
}

/** The same value with every text in it made visible; what is no JSON stays out. */
export function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return visible(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [visible(key), cleaned(child)]))
}

/** Between marks that nobody can foresee, so that no text ends them. */
export function fenced(text: string, nonce: string): string {
  return `<untrusted-${nonce}>\n${text}\n</untrusted-${nonce}>`
}
