/** A literal word, or a piece of a pattern of which only the source is used. */
type Piece = string | RegExp

/** Matches one of the pieces. The pattern is as linear as its pieces. */
export function anyOf(pieces: readonly Piece[], flags = ''): RegExp {
  return new RegExp(choice(pieces), withFlags(pieces, flags))
}

/** Matches the parts directly after one another. A list among the parts is a choice. */
export function sequence(parts: readonly (Piece | readonly Piece[])[], flags = ''): RegExp {
  const source = parts.map((part) => (isList(part) ? grouped(part) : unbroken(pieceSource(part)))).join('')
  return new RegExp(source, withFlags(parts.flat(), flags))
}

/** Matches one of the pieces or nothing. */
export function optional(pieces: readonly Piece[]): RegExp {
  return repeated(pieces, '?')
}

/** Matches one of the pieces as often as the quantifier allows. */
export function repeated(pieces: readonly Piece[], quantifier: string): RegExp {
  return new RegExp(`${grouped(pieces)}${quantifier}`, withFlags(pieces, ''))
}

/** Captures one of the pieces, under a name if one is given. */
export function captured(pieces: readonly Piece[], name = ''): RegExp {
  return new RegExp(`(${name === '' ? '' : `?<${name}>`}${choice(pieces)})`, withFlags(pieces, ''))
}

/** A lookahead: the following text begins with one of the pieces. */
export function before(pieces: readonly Piece[]): RegExp {
  return new RegExp(`(?=${choice(pieces)})`, withFlags(pieces, ''))
}

/** A negative lookahead: the following text begins with none of the pieces. */
export function notBefore(pieces: readonly Piece[]): RegExp {
  return new RegExp(`(?!${choice(pieces)})`, withFlags(pieces, ''))
}

function choice(pieces: readonly Piece[]): string {
  return pieces.map(pieceSource).join('|')
}

function grouped(pieces: readonly Piece[]): string {
  return `(?:${choice(pieces)})`
}

function pieceSource(piece: Piece): string {
  return typeof piece === 'string' ? piece.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&') : piece.source
}

// Groups a top-level choice, which would otherwise include the neighbouring parts.
function unbroken(source: string): string {
  let depth = 0
  for (const [token] of source.matchAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]|[()|]/g)) {
    if (token === '(') depth++
    else if (token === ')') depth--
    else if (token === '|' && depth === 0) return `(?:${source})`
  }
  return source
}

// `\p{L}` needs the `u` flag, so the whole pattern has it if a piece has it.
function withFlags(pieces: readonly Piece[], flags: string): string {
  const unicode = pieces.some((piece) => typeof piece !== 'string' && piece.unicode)
  return unicode && !flags.includes('u') ? `${flags}u` : flags
}

function isList(part: Piece | readonly Piece[]): part is readonly Piece[] {
  return Array.isArray(part)
}
