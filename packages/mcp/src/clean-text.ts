/** The largest part of a mail that is shown. The rest can be read in the console. */
export const untrustedCharactersMax = 2_000
const hostCharactersMax = 253

// Characters that are invisible but may still be read by a model, as ranges of a character class.
const unseen = [
  // Control characters, except tab and line feed.
  '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f',
  // Zero-width characters, fillers, and marks that change the direction of writing.
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f',
  '\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{1d173}-\\u{1d17a}',
  // Variation selectors and tags, in which whole sentences can be hidden.
  '\\ufe00-\\ufe0f\\u{e0000}-\\u{e0fff}',
]
const hidden = new RegExp(`[${unseen.join('')}]`, 'gu')
const link = /\b(?:https?|ftp):\/\/[^\s<>"]{1,4000}|\bwww\.[^\s<>"]{1,4000}|\bmailto:[^\s<>"]{1,4000}/giu

/** Removes everything that a person would not see. */
export function visible(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replaceAll(hidden, '')
}

/**
 * A stranger's text for a model, which may follow instructions in it: plain, short, and with links replaced by the names of their hosts.
 */
export function untrusted(text: string): string {
  const plain = visible(text).replaceAll(link, (url) => `[link to ${urlHost(url)}]`)
  return plain.length > untrustedCharactersMax ? `${cut(plain)} […]` : plain
}

/** All hosts to which a text links, with or without a scheme or `www.`. */
export function hostsIn(text: string): string[] {
  const named = [...visible(text).matchAll(link)].map(([url]) => urlHost(url))
  const bare = [...visible(text).matchAll(bareHost)].map(([host]) => host.toLowerCase())
  return [...new Set([...named, ...bare].map((host) => host.replace(/^www\./, '')))]
}

// Mail programs also make links of bare host names. The last label must be letters only, so that 3.5 and 10.30 don't match.
const bareHost = /(?<![\w@.-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24}(?![\w-])/giu

function urlHost(url: string): string {
  const whole = url.toLowerCase().startsWith('www.') ? `http://${url}` : url
  if (!URL.canParse(whole)) return 'an invalid address'
  const { protocol, hostname, pathname } = new URL(whole)
  const host = protocol === 'mailto:' ? (pathname.split('@').at(-1) ?? '') : hostname
  return host.slice(0, hostCharactersMax) || 'an invalid address'
}

function cut(text: string): string {
  return text.slice(0, untrustedCharactersMax).toWellFormed()
}

/** Returns the same value with all of its texts made visible. Values that JSON does not have are left out. */
export function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return visible(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [visible(key), cleaned(child)]))
}

/** Puts a text between unpredictable marks, so that the text can't contain the end mark. */
export function fenced(text: string, nonce: string): string {
  return `<untrusted-${nonce}>\n${text}\n</untrusted-${nonce}>`
}
