import { optional, sequence } from '@overture/ground/text/patterns.ts'

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
          /(?:ext|extern|external|externe|externo)(?: (?:e-?mail|mail|sender|message))?|spam|caution|warning/,
        ],
        /(?:\[\d{1,3}\]|\^\d{1,3}|\(\d{1,3}\))?\s?[:：]/,
      ]),
      /(?:external|extern)(?: e-?mail)?\s?[-–|]/,
      /[\p{So}\ufe0f\p{Pi}\p{Pf}"'!>]{1,10}/u,
    ],
    /\s*/,
  ],
  'iu',
)

/** Some programs leave the escapes of the mailto in the subject. */
function unescaped(subject: string): string {
  return subject
    .slice(0, subjectCharsMax)
    .replaceAll(/%([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** The subject without the tags and prefixes that gateways and mail programs put in front of it. */
function bareSubject(subject: string): string {
  let bare = unescaped(subject)
  for (let count = 0; count < prefixesMax; count++) {
    const found = prefix.exec(bare)
    if (found === null) break
    bare = bare.slice(found[0].length)
  }
  return bare.trim()
}

const optOutSubject = sequence(
  [/^unsubscribe/, optional([/[\s:+<([]{1,5}[\w.~-]{20,1000}/]), /[\s.,;:!"'”“»>)\]]{0,5}$/],
  'i',
)

/** Whether the subject is the one in our `List-Unsubscribe` mailto, with or without its token. */
export function isOptOutSubject(subject: string): boolean {
  return optOutSubject.test(bareSubject(subject))
}

/** Whether the subject begins with "unsubscribe". This is not enough: the body must say more. */
export function beginsWithUnsubscribe(subject: string): boolean {
  return /^unsubscribe\b/i.test(bareSubject(subject))
}

/**
 * Words that may be the signed token of our mailto, from the subject and after the "+" of an address. They are candidates,
 * because only the signature shows whether a word is a token. A mail program may fold the subject within the token, or join
 * it to the word before it.
 */
export function optOutTokens(subject: string, addresses: readonly string[]): string[] {
  const plain = unescaped(subject)
  const words = plain.match(/(?<![\w.~-])[\w.~-]{20,1000}/g) ?? []
  const whole = /unsubscribe([^]*)$/i.exec(plain)?.[1]?.replaceAll(/\s+/g, '') ?? ''
  const joined = /^[:+_-]?([\w.~-]{20,1000})/.exec(whole)?.[1] ?? ''
  const tagged = addresses.flatMap((address) => /^[^+@]{1,64}\+([\w.~-]{20,64})@/.exec(address)?.[1] ?? [])
  const candidates = [...words.slice(0, tokensMax), joined, ...tagged.slice(0, tokensMax)]
  return [...new Set(candidates.map((word) => word.replace(/[.~]{1,20}$/, '')).filter((word) => word !== ''))]
}
