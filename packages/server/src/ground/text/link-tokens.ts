/** This word replaces a token. */
const hiddenToken = 'hidden'

const partMax = 64
const tokenMax = 8_000

/**
 * How signed tokens of links begin (`packages/server/src/platform/crypto/token-payload.ts`): packed ids behind the letter of the
 * environment, an account and its environment, a list in JSON from before there were dots, or a lead in a mail address.
 */
const beginnings = [
  '[lt][\\w-]{60}\\.',
  `acc_[0-9a-z]{1,${partMax}}\\.(?:live|test)\\.`,
  `WyJhY2Nf[\\w-]{1,${tokenMax}}\\.`,
  `a\\.led_[0-9a-z]{1,${partMax}}\\.`,
]

// Some gateways put our link into a link of their own, where its slash is escaped once or twice.
const signedToken = new RegExp(
  `(?<=^|[^\\w-]|%(?:25)?(?:2f|2b|3d))(?:${beginnings.join('|')})(?:[\\w.~-]|%7e){1,${tokenMax}}`,
  'gi',
)

/**
 * A value of JSON whose texts, HTML and addresses have no tokens of our links. A token opts its recipient out, and books, moves and
 * cancels in their name, so no reader of the mail gets one. Quotes of our mail in a reply lose it as well.
 */
export function withoutLinkTokens<Value>(value: Value): Value {
  return hidden(value) as Value
}

function hidden(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(signedToken, hiddenToken)
  if (Array.isArray(value)) return value.map(hidden)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, hidden(part)]))
}
