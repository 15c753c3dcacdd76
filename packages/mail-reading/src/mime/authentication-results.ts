import { findHeader } from './mime.ts'
import type { MimePart } from './mime.ts'

/** The checks that a mail server reports in the topmost `Authentication-Results` (RFC 8601). */
export interface AuthenticationResults {
  /** The name of the server, in lower case. Null if the server leaves it out. */
  server: string | null
  /** Domains, in lower case, for which a signature (DKIM) or the policy of the `From` address (DMARC) passed. */
  domains: string[]
}

const headerCharsMax = 8_000
const partsMax = 50

/**
 * Returns null if there is no such header or it can't be read to its end. Quoted text and comments are ignored, because a
 * stranger may have written them.
 */
export function readAuthenticationResults(root: Pick<MimePart, 'headers'>): AuthenticationResults | null {
  const header = findHeader(root, 'authentication-results')
  if (header === undefined || header.length > headerCharsMax) return null
  const split = splitResults(header, partsMax)
  if (split === null) return null
  const domains = split.results.flatMap((result) => passedDomain(result) ?? [])
  return { server: split.server, domains: [...new Set(domains)] }
}

/** Splits a header into the name of its server, in lower case, and its results. Null: it can't be read to its end. */
export function splitResults(
  header: string,
  partsLimit = Infinity,
): { server: string | null; results: string[] } | null {
  const parts = withoutComments(header)
    ?.split(';')
    .map((one) => one.trim())
  if (parts === undefined || parts.length > partsLimit) return null
  const [first = ''] = parts
  if (first.includes('=')) return { server: null, results: parts }
  const server = /^([a-z\d.-]{1,255})(?:\s+\d+)?$/i.exec(first)?.[1]
  return server === undefined ? null : { server: server.toLowerCase(), results: parts.slice(1) }
}

const properties = { dkim: /^header\.(?:d=|i=[^@]{0,200}@)/i, dmarc: /^header\.from=(?:[^@]{0,200}@)?/i }

function passedDomain(result: string): string | null {
  const [first = '', ...rest] = result.split(/\s+/)
  const method = /^(dkim|dmarc)(?:\/\d+)?=pass$/i.exec(first)?.[1]?.toLowerCase() as keyof typeof properties | undefined
  if (method === undefined) return null
  const property = rest.find((one) => properties[method].test(one))
  const domain = property?.replace(properties[method], '').toLowerCase() ?? ''
  return /^[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,10}$/.test(domain) ? domain : null
}

const propertyCharsMax = 400
const propertyAtEnd = /[a-z]\.[a-z-]{1,40}=[^\s;]*$/i

/**
 * Replaces comments, which nest, and quoted text. Returns null if one of them has no end, or if a comment begins within the value
 * of a property.
 */
function withoutComments(text: string): string | null {
  let out = ''
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '\\' && (quoted || depth > 0)) at++
    else if (quoted) quoted = character !== '"'
    else if (character === '"' && depth === 0) {
      quoted = true
      // Quoted text is part of a word, and no searched word contains any.
      out += '?'
    } else if (character === '(') {
      // A domain that a stranger signs with can contain a parenthesis, which must not hide the rest of the domain.
      if (depth === 0 && propertyAtEnd.test(out.slice(-propertyCharsMax))) return null
      depth++
      out += ' '
    } else if (character === ')') {
      if (depth === 0) return null
      depth--
    } else if (depth === 0) out += character
  }
  return depth === 0 && !quoted ? out : null
}
