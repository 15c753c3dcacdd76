import { isFrequentIn, type Script } from './frequent-letters.ts'
import { decodeNamed } from './named.ts'

const candidates: readonly { encoding: string; script: Script }[] = [
  { encoding: 'gb18030', script: 'simplified' },
  { encoding: 'big5hkscs', script: 'traditional' },
  { encoding: 'shift_jis', script: 'japanese' },
  { encoding: 'euc-jp', script: 'japanese' },
  { encoding: 'cp949', script: 'korean' },
]

const sampleBytesMax = 16 * 1024
/** Two frequent letters are the least evidence. */
const frequentMin = 2
/** A text in another charset reaches less than a tenth by chance. Few letters need a larger share. */
const shareMin = 0.3
const fewLetters = 8
const shareOfFewMin = 0.6

/**
 * Decodes a text in a Chinese, Japanese or Korean charset without a name for it. Each charset is tried, and the share of frequent
 * letters decides. Null for any other text.
 */
export function decodeDoubleByte(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, sampleBytesMax)
  let best = { encoding: '', share: 0 }
  for (const { encoding, script } of candidates) {
    const share = scriptShare(decodeNamed(sample, encoding) ?? '', script)
    if (share > best.share) best = { encoding, share }
  }
  return best.share === 0 ? null : decodeNamed(bytes, best.encoding)
}

/** The share of frequent letters, or 0 if the text can't be in this charset. */
function scriptShare(text: string, script: Script): number {
  let [letters, frequent] = [0, 0]
  // The sample, or the text itself, may end within a letter.
  for (const letter of text.replace(/\ufffd$/, '')) {
    if (letter === '\ufffd' || (letter >= '\ue000' && letter <= '\uf8ff')) return 0
    if (letter <= '\u007f') continue
    letters++
    if (isFrequentIn(script, letter)) frequent++
  }
  const share = letters === 0 ? 0 : frequent / letters
  return frequent >= frequentMin && share >= (letters < fewLetters ? shareOfFewMin : shareMin) ? share : 0
}
