/** A word that stands for itself, or a piece of a pattern; of the piece only the source counts. */
type Piece = string | RegExp

/** One of these: a pattern that is as linear as its pieces are. */
export function anyOf(pieces: readonly Piece[], flags = ''): RegExp {
  return new RegExp(choice(pieces), withFlags(pieces, flags))
}

/** One behind the other, nothing between; a list among the parts is a choice. */
export function sequence(parts: readonly (Piece | readonly Piece[])[], flags = ''): RegExp {
  const source = parts.map((part) => (isList(part) ? grouped(part) : unbroken(sourceOf(part)))).join('')
  return new RegExp(source, withFlags(parts.flat(), flags))
}

/** One of these or nothing. */
export function optional(pieces: readonly Piece[]): RegExp {
  return repeated(pieces, '?')
}

/** One of these as often as a quantifier says. */
export function repeated(pieces: readonly Piece[], quantifier: string): RegExp {
  return new RegExp(`${grouped(pieces)}${quantifier}`, withFlags(pieces, ''))
}

/** One of these, kept among what was found, by a name where one is given. */
export function captured(pieces: readonly Piece[], name = ''): RegExp {
  return new RegExp(`(${name === '' ? '' : `?<${name}>`}${choice(pieces)})`, withFlags(pieces, ''))
}

/** What follows begins with one of these, which are no part of what was found. */
export function before(pieces: readonly Piece[]): RegExp {
  return new RegExp(`(?=${choice(pieces)})`, withFlags(pieces, ''))
}

/** What follows begins with none of these. */
export function notBefore(pieces: readonly Piece[]): RegExp {
  return new RegExp(`(?!${choice(pieces)})`, withFlags(pieces, ''))
}

function choice(pieces: readonly Piece[]): string {
  return pieces.map(sourceOf).join('|')
}

function grouped(pieces: readonly Piece[]): string {
  return `(?:${choice(pieces)})`
}

function sourceOf(piece: Piece): string {
  return typeof piece === 'string' ? piece.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&') : piece.source
}

// A choice must not swallow its neighbours.
function unbroken(source: string): string {
  let depth = 0
  for (const [token] of source.matchAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]|[()|]/g)) {
    if (token === '(') depth++
    else if (token === ')') depth--
    else if (token === '|' && depth === 0) return `(?:${source})`
  }
  return source
}

// `\p{L}` means something else without its flag: a whole takes it over from its pieces.
function withFlags(pieces: readonly Piece[], flags: string): string {
  const unicode = pieces.some((piece) => typeof piece !== 'string' && piece.unicode)
  return unicode && !flags.includes('u') ? `${flags}u` : flags
}

function isList(part: Piece | readonly Piece[]): part is readonly Piece[] {
  return Array.isArray(part)
}
