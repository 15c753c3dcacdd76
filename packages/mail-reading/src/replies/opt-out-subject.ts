import { sequence } from '@overture/ground/text/patterns.ts'

/** A mail program's subject has no more tags and prefixes than this. */
const prefixesMax = 8
const subjectCharsMax = 2_000
const tokensMax = 8

/** A tag of a gateway, such as "[EXTERNAL]", or a prefix of a mail program, such as "Re:" or "WG:". */
const prefix = sequence(
  [
    /^\s*/,
    [
      /\[[^\]]{0,40}\]|\([^)]{0,40}\)|\{[^}]{0,40}\}|<[^>]{0,40}>|\*{1,5}[^*]{1,40}\*{1,5}/,
      sequence([
        [
          /re|r|aw|antw|antwort|sv|vs|odp|res|rif|ynt|vá|ref|答复|回复|回覆|返信|답장|ответ|отв/,
          /fwd?|fw|wg|tr|rv|i|enc|vb|doorst|pd|vl|továbbítás|转发|轉寄|転送|전달|пересл/,
          /ext|extern|external|externe|externo|spam|caution|warning/,
        ],
        /(?:\[\d{1,3}\]|\^\d{1,3}|\(\d{1,3}\))?\s?[:：]/,
      ]),
      /(?:external|extern)(?: e-?mail)?\s?[-–|]/,
    ],
    /\s*/,
  ],
  'iu',
)

/** The subject without the tags and prefixes that gateways and mail programs put in front of it. */
function bareSubject(subject: string): string {
  let bare = subject.slice(0, subjectCharsMax)
  for (let count = 0; count < prefixesMax; count++) {
    const found = prefix.exec(bare)
    if (found === null) break
    bare = bare.slice(found[0].length)
  }
  return bare.trim()
}

/** Whether the subject is the one in our `List-Unsubscribe` mailto, with or without its token. */
export function isOptOutSubject(subject: string): boolean {
  return /^unsubscribe(?:[\s:]+[\w.~-]{20,1000})?$/i.test(bareSubject(subject))
}

/** Whether the subject begins with "unsubscribe". This is not enough: the body must say more. */
export function beginsWithUnsubscribe(subject: string): boolean {
  return /^unsubscribe\b/i.test(bareSubject(subject))
}

/**
 * Words that may be the signed token of our mailto, from the subject and after the "+" of an address. They are candidates,
 * because only the signature shows whether a word is a token.
 */
export function optOutTokens(subject: string, addresses: readonly string[]): string[] {
  const words = subject.slice(0, subjectCharsMax).match(/(?<![\w.~-])[\w.~-]{20,1000}/g) ?? []
  const tagged = addresses.flatMap((address) => /^[^+@]{1,64}\+([\w.~-]{20,64})@/.exec(address)?.[1] ?? [])
  return [...new Set([...words.slice(0, tokensMax), ...tagged.slice(0, tokensMax)])]
}
