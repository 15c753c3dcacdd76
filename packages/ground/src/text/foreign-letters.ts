/** Encodings with all their letters outside ASCII, so that words consist of bytes from 0x80 on. */
type LetterEncoding = 'windows-1251' | 'koi8-r' | 'windows-1253' | 'windows-1255'

interface Alphabet {
  encoding: LetterEncoding
  /** Lower-case letters, the most frequent ones first. */
  letters: string
}

const cyrillic = 'оаеинтсрвлкмдпуіяыгзьбчйхжшюцщєїэфъјљњћђёўґ'
const greek = 'αοιετσνηυρπκμλςωδγχθάφίόέβήξύζώψϊϋΐΰ'
const hebrew = 'יוהלאתרבשמנדקחםעפטגצכסזןךץף'
const alphabets: readonly Alphabet[] = [
  { encoding: 'windows-1251', letters: cyrillic },
  { encoding: 'koi8-r', letters: cyrillic },
  { encoding: 'windows-1253', letters: greek },
  { encoding: 'windows-1255', letters: hebrew },
]

const sampleBytesMax = 256 * 1024
const wordLengthMin = 3
/** Fewer letters are not enough evidence. */
const lettersMin = 6
/** The share of bytes outside ASCII that are in such words. Western words have a few such bytes among ASCII letters. */
const wordShareMin = 0.6
const capitalInsideCost = 3
const scoreMin = 0.2

/**
 * Returns the encoding of a text in Cyrillic, Greek or Hebrew letters that is not UTF-8, or null for any other text. The most frequent
 * letters of each alphabet decide, and a capital after a small letter speaks against an encoding.
 */
export function letterEncodingOf(bytes: Uint8Array): LetterEncoding | null {
  const sample = bytes.subarray(0, sampleBytesMax)
  const latin1 = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength).toString('latin1')
  const high = latin1.match(/[\x80-\xff]/g)?.length ?? 0
  const words = latin1.match(/(?<![A-Za-z\x80-\xff])[\x80-\xff]{2,40}(?![A-Za-z\x80-\xff])/g) ?? []
  const inWords = words.reduce((sum, word) => sum + word.length, 0)
  if (inWords < Math.max(lettersMin, high * wordShareMin) || !words.some(({ length }) => length >= wordLengthMin))
    return null
  const text = Buffer.from(words.join(' '), 'latin1')
  const scores = alphabets.map((alphabet) => ({ ...alphabet, score: scoreOf(text, alphabet) }))
  const best = scores.reduce((first, second) => (second.score > first.score ? second : first))
  return best.score < scoreMin ? null : best.encoding
}

/** The mean over all letters: 1 for the most frequent letter, 0 for the least frequent one, and less for faults. */
function scoreOf(bytes: Uint8Array, { encoding, letters }: Alphabet): number {
  let [sum, count, wasSmall] = [0, 0, false]
  for (const letter of new TextDecoder(encoding).decode(bytes)) {
    if (letter === ' ') {
      wasSmall = false
      continue
    }
    const small = letter.toLowerCase()
    const place = letters.indexOf(small)
    const isSmall = small === letter
    count++
    if (place === -1) sum--
    else sum += 1 - place / letters.length - (wasSmall && !isSmall ? capitalInsideCost : 0)
    wasSmall = place !== -1 && isSmall
  }
  return count === 0 ? 0 : sum / count
}
