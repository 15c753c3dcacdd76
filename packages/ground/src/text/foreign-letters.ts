/** Encodings with all their letters outside ASCII, so that words consist of bytes from 0x80 on. */
type LetterEncoding = 'windows-1251' | 'koi8-r' | 'windows-1253' | 'windows-1255' | 'windows-1256' | 'windows-874'

interface Alphabet {
  encoding: LetterEncoding
  /** Lower-case letters, the most frequent ones first. */
  letters: string
}

const cyrillic = 'оаеинтсрвлкмдпуіяыгзьбчйхжшюцщєїэфъјљњћђёўґ'
const greek = 'αοιετσνηυρπκμλςωδγχθάφίόέβήξύζώψϊϋΐΰ'
const hebrew = 'יוהלאתרבשמנדקחםעפטגצכסזןךץף'
const arabic = 'اليمنوترةبعدسفهكقحأجىشصطخضإذثزغءئظآؤ،؟'
const thai = 'านรอกเ่งมยลวด้ทัสตะปิีบคหแจพใไชขำุ์โูผถึืซศณธภษฟฉญ็'
const certain: readonly Alphabet[] = [
  { encoding: 'windows-1251', letters: cyrillic },
  { encoding: 'koi8-r', letters: cyrillic },
  { encoding: 'windows-1253', letters: greek },
  { encoding: 'windows-1255', letters: hebrew },
]
/** Mail has more encodings than spreadsheets. */
const ofMail: readonly Alphabet[] = [
  ...certain,
  { encoding: 'windows-1256', letters: arabic },
  { encoding: 'windows-874', letters: thai },
]

const sampleBytesMax = 256 * 1024
const wordLengthMin = 3
/** Fewer letters are not enough evidence. */
const lettersMin = 6
/** The share of bytes outside ASCII that are in such words. Western words have a few such bytes among ASCII letters. */
const wordShareMin = 0.6
const capitalInsideCost = 3
const scoreMin = 0.2
/** The letters of Hebrew are the capitals of KOI8-R and the small letters of Windows-1251. Few texts have only one kind. */
const oneKindFactor = 0.9

/**
 * Returns the encoding of a text in Cyrillic, Greek or Hebrew letters that is not UTF-8, or null for any other text. The most frequent
 * letters of each alphabet decide, and a capital after a small letter speaks against an encoding.
 */
export function detectLetterEncoding(bytes: Uint8Array): LetterEncoding | null {
  return bestEncoding(bytes, certain)
}

/** The same for a mail, which may also be in Arabic or Thai. */
export function detectMailEncoding(bytes: Uint8Array): LetterEncoding | null {
  return bestEncoding(bytes, ofMail)
}

function bestEncoding(bytes: Uint8Array, alphabets: readonly Alphabet[]): LetterEncoding | null {
  const sample = bytes.subarray(0, sampleBytesMax)
  const latin1 = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength).toString('latin1')
  const high = latin1.match(/[\x80-\xff]/g)?.length ?? 0
  const words = latin1.match(/(?<![A-Za-z\x80-\xff])[\x80-\xff]{2,200}(?![A-Za-z\x80-\xff])/g) ?? []
  const inWords = words.reduce((sum, word) => sum + word.length, 0)
  if (inWords < Math.max(lettersMin, high * wordShareMin) || !words.some(({ length }) => length >= wordLengthMin))
    return null
  const text = Buffer.from(words.join(' '), 'latin1')
  const scores = alphabets.map((alphabet) => ({ ...alphabet, score: scoreAlphabet(text, alphabet) }))
  const best = scores.reduce((first, second) => (second.score > first.score ? second : first))
  return best.score < scoreMin ? null : best.encoding
}

/** The mean over all letters: 1 for the most frequent letter, 0 for the least frequent one, and less for faults. */
function scoreAlphabet(bytes: Uint8Array, { encoding, letters }: Alphabet): number {
  let [sum, count, wasSmall, smallCount] = [0, 0, false, 0]
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
    if (wasSmall) smallCount++
  }
  if (count === 0) return 0
  return (
    (sum / count) *
    (smallCount === (encoding === 'koi8-r' ? 0 : encoding === 'windows-1251' ? count : -1) ? oneKindFactor : 1)
  )
}
