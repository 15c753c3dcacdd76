/** The replacement of a token. */
const hiddenToken = 'hidden'

const partMax = 64
const tokenMax = 8_000

/**
 * How the signed tokens in links begin (`packages/server/src/platform/crypto/token-payload.ts`): the environment's letter and
 * packed ids, an account and its environment, or a lead in a mail address.
 */
const beginnings = [
  '[lt][\\w-]{60}\\.',
  // The sealed part of an opt-out link is longer than the words behind the dot of a host or file name.
  '[lt][\\w-]{30}\\.(?=[\\w-]{19})',
  `acc_[0-9a-z]{1,${partMax}}\\.(?:live|test)\\.`,
  `a\\.led_[0-9a-z]{1,${partMax}}\\.`,
]

// Some gateways put our link into their own link and escape its slash once or twice.
const signedToken = new RegExp(
  `(?<=^|[^\\w-]|%(?:25)?(?:2f|2b|3d))(?:${beginnings.join('|')})(?:[\\w.~-]|%7e){1,${tokenMax}}`,
  'gi',
)

/**
 * Removes the tokens of our links from all texts, HTML and addresses of a JSON value. A token can opt its recipient out, and
 * book, move and cancel in their name, so readers of mail must not get one. Quotes of our mail in replies lose it as well.
 */
export function withoutLinkTokens<Value>(value: Value): Value {
  return hidden(value) as Value
}

/** A break of a line within a word: of quoted-printable, or of a folded line in a header or a calendar. */
const lineBreak = String.raw`(?:=\r?\n|\r?\n[ \t])`
/** In larger files, and in those with more broken tokens, all such breaks are removed. This keeps the time linear. */
const exactCharsMax = 256 * 1024
const exactTokensMax = 20

/** Removes the tokens from the text of a file, in which lines may break within a token. */
export function withoutTokensInLines(text: string): string {
  const shown = text.replaceAll(signedToken, hiddenToken)
  const joined = shown.replaceAll(new RegExp(lineBreak, 'g'), '')
  const broken = new Set(joined.match(signedToken))
  if (broken.size > exactTokensMax || (broken.size > 0 && text.length > exactCharsMax))
    return joined.replaceAll(signedToken, hiddenToken)
  return [...broken].reduce((rest, token) => {
    const letters = Array.from(token, (letter) => letter.replace(/[.~%-]/, String.raw`\$&`))
    return rest.replaceAll(new RegExp(letters.join(`${lineBreak}?`), 'g'), hiddenToken)
  }, shown)
}

function hidden(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(signedToken, hiddenToken)
  if (Array.isArray(value)) return value.map(hidden)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, hidden(part)]))
}
