/** The DNS response. `unknown` if no server responded. */
export type Answer = { kind: 'found'; values: string[] } | { kind: 'none' } | { kind: 'unknown'; message: string }

/** Reads the `name=value` pairs of a DKIM or DMARC record. The first of several equal names counts. */
export function readTags(text: string): Map<string, string> {
  const tags = new Map<string, string>()
  for (const part of text.split(';')) {
    const [name = '', value = ''] = part.split(/=(.*)/s)
    const key = name.trim().toLowerCase()
    if (!tags.has(key)) tags.set(key, value.trim())
  }
  return tags
}
