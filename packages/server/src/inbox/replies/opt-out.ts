import { anyOf, sequence } from '../../ground/text/patterns.ts'
import { saysOnlyOptOut as bare } from './opt-out-bare.ts'
import { englishRequests } from './opt-out-english.ts'
import { germanicRequests } from './opt-out-germanic.ts'
import { otherRequests } from './opt-out-other.ts'
import { romanceRequests } from './opt-out-romance.ts'
import { wishesRequests } from './opt-out-wishes.ts'
import { asksForRemoval, leaveAlone } from './opt-out-words.ts'

/** Longer texts are letters about something: only their first sentences are looked at. */
const looked = 1_500

const asks: readonly RegExp[] = [
  ...englishRequests,
  ...wishesRequests,
  ...germanicRequests,
  ...romanceRequests,
  ...otherRequests,
]

const negated = sequence(
  [
    /\b/,
    [/do(?:n't|n’t| not)|never|no need to|without|not going to|didn't|won't/],
    / (?:\w+ ){0,2}(?:unsubscribe|remove me|opt (?:me )?out|take me off)/,
  ],
  'i',
)

// Over the end of a sentence: "Where did you get my address? Delete it."
const refersBack = anyOf(
  [
    sequence([
      /\b(?:my|this|our) /,
      [/e-?mail(?: address)?|address|contact|data|details|number|info(?:rmation)?/],
      /\b[^.!?]{0,60}[.!?,;] ?(?:and |please |kindly |now )*(?:delete|remove|erase) (?:it|that|them)\b/,
    ]),
    sequence([
      /\b(?:meine|unsere) (?:e-?mail-?)?(?:mail-?)?(?:adresse|daten|kontaktdaten)\b[^.!?]{0,60}[.!?,;] ?/,
      /(?:und |bitte )*(?:löschen|entfernen|streichen) sie (?:sie|diese|die)(?!\p{L})/u,
    ]),
    sequence([
      /\bmon (?:adresse|e-?mail|mail)\b[^.!?]{0,60}[.!?,;] ?(?:et |merci de |veuillez )*/,
      /(?:supprimez|effacez|retirez)-l[ae](?!\p{L})/u,
    ]),
    sequence([
      /\bmi (?:correo|dirección|e-?mail)\b[^.!?]{0,60}[.!?,;¿¡] ?(?:y |por favor )*/,
      /(?:bórr|elimín|quít)en?l[oa](?!\p{L})/u,
    ]),
  ],
  'iu',
)

// To be put on a list, or not to stop.
const invites = anyOf(
  [
    /(?:nehmen|nimm|tragen) (?:sie )?(?:mich|uns)[^.!?]{0,60}(?:verteiler|liste) (?:auf|ein)(?!\p{L})/u,
    /(?<!\p{L})no (?:dejen|deje|dejes|pares|paren) de|(?:do not|don't|don’t|never) stop|n'arrêtez pas/u,
    /hören sie (?:bitte )?nicht auf|не переставайте/,
  ],
  'iu',
)

// The word that people mistype most, two letters away at the furthest; what somebody did is no request.
function corrected(text: string): string {
  return text
    .replace(/\bun[ -]?sub\b|\bun[ -]subscribe\b/gi, 'unsubscribe')
    .replace(/\bun[a-z]{5,11}\b/gi, (word) =>
      /(?:ed|ing|er|ers|tion)$/i.test(word) || lettersBetween(word.toLowerCase(), 'unsubscribe') > 2
        ? word
        : 'unsubscribe',
    )
}

// How many letters must be changed, put in or taken out.
function lettersBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++)
      next.push(Math.min(row[j]! + (a[i] === b[j] ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    row = next
  }
  return row[b.length]!
}

// "I have told you twice, stop it": the words alone behind a comma, where the sentence says nothing else after them.
function lastClauseAsks(line: string): boolean {
  const clause = line
    .split(/[,;:–—]| - /)
    .at(-1)!
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'’]+/gu, ' ')
    .trim()
  return (
    clause.length <= 40 &&
    bare.test(clause) &&
    !/^(?:please |bitte )?(?:stop|cancel|baja|delete|remove|go away|no more)$/.test(clause)
  )
}

interface OptOut {
  rule: string
}

/** Whether the writer asks, in words of their own, not to be written to again. `own` has no quoted lines. */
export function readOptOut(own: string): OptOut | null {
  const start = corrected(own.slice(0, looked))
  const flat = start
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'’]+/gu, ' ')
    .trim()
  if (flat.length <= 90 && bare.test(flat.replace(/(?<!\p{L})(\p{L}{1,20})(?: \1(?!\p{L})){1,9}/gu, '$1')))
    return { rule: 'opt_out_word' }
  if (refersBack.test(start.replace(/\s+/g, ' '))) return { rule: 'opt_out_sentence' }
  // The word alone on the first line, with a greeting or a name around it.
  const first = start
    .split('\n')
    .map((line) =>
      line
        .toLowerCase()
        .replace(/[^\p{L}\p{N}'’]+/gu, ' ')
        .trim(),
    )
    .filter((line) => line !== '')
  if (first.length <= 5 && first.slice(0, 2).some((line) => line.length <= 60 && bare.test(line)) && flat.length <= 200)
    return { rule: 'opt_out_word' }
  for (const sentence of start.split(/(?<=[.!?。！？])\s+|\n{2,}|\n(?=[A-ZÄÖÜ•-])/u).slice(0, 40)) {
    const line = sentence.replace(/\s+/g, ' ').trim()
    if (
      line.length > 400 ||
      negated.test(line) ||
      (line.endsWith('?') && /\b(?:your|our|their) (?:customers?|users?|clients?|subscribers?)\b/i.test(line))
    )
      continue
    const words = line
      .toLowerCase()
      .replace(/[^\p{L}\p{N}'’]+/gu, ' ')
      .trim()
    // "Stop!" and the like alone say too little among other sentences.
    if (
      flat.length <= 200 &&
      words.length <= 60 &&
      bare.test(words) &&
      !/^(?:stop|cancel|baja|delete|go away)/.test(words)
    )
      return { rule: 'opt_out_word' }
    if (invites.test(line)) continue
    if (flat.length <= 200 && lastClauseAsks(line)) return { rule: 'opt_out_word' }
    if (
      asksForRemoval(line) &&
      (!line.endsWith('?') ||
        /\b(?:can|could|would|will|können|könnten|pouvez|pourriez|puede|podría|può|potrebbe|kunt|kun|poderia)\b/i.test(
          line,
        ))
    )
      return { rule: 'opt_out_sentence' }
    if (leaveAlone.test(line)) return { rule: 'opt_out_sentence' }
    if (asks.some((pattern) => pattern.test(line))) return { rule: 'opt_out_sentence' }
  }
  return null
}
