import { anyOf, sequence } from '@overture/ground/text/patterns.ts'
import { saysOnlyOptOut as bare } from './opt-out-bare.ts'
import { englishRequests } from './opt-out-english.ts'
import { germanicRequests } from './opt-out-germanic.ts'
import { otherRequests } from './opt-out-other.ts'
import { romanceRequests } from './opt-out-romance.ts'
import { wishesRequests } from './opt-out-wishes.ts'
import { asksForRemoval, leaveAlone } from './opt-out-words.ts'

/** Longer texts are letters about another subject, so only their first sentences are read. */
const looked = 1_500
const sentencesMax = 40
const sentenceLengthMax = 400
/** In a text of at most this length a single word is a request. */
const shortLength = 200

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

// Requests that span two sentences: "Where did you get my address? Delete it."
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

// Requests to be added to a list, or not to stop.
const invites = anyOf(
  [
    /(?:nehmen|nimm|tragen) (?:sie )?(?:mich|uns)[^.!?]{0,60}(?:verteiler|liste) (?:auf|ein)(?!\p{L})/u,
    /(?<!\p{L})no (?:dejen|deje|dejes|pares|paren) de|(?:do not|don't|don’t|never) stop|n'arrêtez pas/u,
    /hören sie (?:bitte )?nicht auf|не переставайте/,
  ],
  'iu',
)

// Questions that are requests.
const politely =
  /\b(?:can|could|would|will|können|könnten|pouvez|pourriez|puede|podría|può|potrebbe|kunt|kun|poderia)\b/i

// Corrects typing errors in "unsubscribe", the word that people mistype most, if at most two letters differ. Forms such as
// "unsubscribed" report something and are no request.
function corrected(text: string): string {
  return text
    .replace(/\bun[ -]?sub\b|\bun[ -]subscribe\b/gi, 'unsubscribe')
    .replace(/\bun[a-z]{5,11}\b/gi, (word) =>
      /(?:ed|ing|er|ers|tion)$/i.test(word) || lettersBetween(word.toLowerCase(), 'unsubscribe') > 2
        ? word
        : 'unsubscribe',
    )
}

// The number of letters to change, insert or remove.
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

// "I have told you twice, stop it": after a comma the words of the request end the sentence.
function lastClauseAsks(line: string): boolean {
  const clause = normalizeWords(line.split(/[,;:–—]| - /).at(-1)!)
  return (
    clause.length <= 40 &&
    bare.test(clause) &&
    !/^(?:please |bitte )?(?:stop|cancel|baja|delete|remove|go away|no more)$/.test(clause)
  )
}

interface OptOut {
  rule: 'opt_out_word' | 'opt_out_sentence'
}

/** Whether the writer asks in their own words not to be written to again. `own` contains no quoted lines. */
export function findOptOut(own: string): OptOut | null {
  const start = corrected(own.slice(0, looked))
  const flat = normalizeWords(start)
  if (flat.length <= 90 && bare.test(flat.replace(/(?<!\p{L})(\p{L}{1,20})(?: \1(?!\p{L})){1,9}/gu, '$1')))
    return { rule: 'opt_out_word' }
  if (refersBack.test(start.replace(/\s+/g, ' '))) return { rule: 'opt_out_sentence' }
  const isShort = flat.length <= shortLength
  if (isShort && beginsWithWord(start)) return { rule: 'opt_out_word' }
  for (const sentence of start.split(/(?<=[.!?。！？])\s+|\n{2,}|\n(?=[A-ZÄÖÜ•-])/u).slice(0, sentencesMax)) {
    const rule = findRule(sentence.replace(/\s+/g, ' ').trim(), isShort)
    if (rule !== null) return { rule }
  }
  return null
}

function normalizeWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'’]+/gu, ' ')
    .trim()
}

// The word alone on one of the first lines, with a greeting or a name around it.
function beginsWithWord(start: string): boolean {
  const lines = start
    .split('\n')
    .map(normalizeWords)
    .filter((line) => line !== '')
  return lines.length <= 5 && lines.slice(0, 2).some((line) => line.length <= 60 && bare.test(line))
}

function findRule(sentence: string, isShort: boolean): OptOut['rule'] | null {
  if (sentence.length > sentenceLengthMax || negated.test(sentence) || asksAboutCustomers(sentence)) return null
  const words = normalizeWords(sentence)
  // "Stop!" and similar words alone say too little among other sentences.
  if (isShort && words.length <= 60 && bare.test(words) && !/^(?:stop|cancel|baja|delete|go away)/.test(words))
    return 'opt_out_word'
  if (invites.test(sentence)) return null
  if (isShort && lastClauseAsks(sentence)) return 'opt_out_word'
  if (asksForRemoval(sentence) && (!sentence.endsWith('?') || politely.test(sentence))) return 'opt_out_sentence'
  return leaveAlone.test(sentence) || asks.some((pattern) => pattern.test(sentence)) ? 'opt_out_sentence' : null
}

function asksAboutCustomers(sentence: string): boolean {
  return sentence.endsWith('?') && /\b(?:your|our|their) (?:customers?|users?|clients?|subscribers?)\b/i.test(sentence)
}
