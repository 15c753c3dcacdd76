import { sequence } from '@overture/ground/text/patterns.ts'
import type { Line } from './quote-lines.ts'

const noticeLinesMax = 8
const greetedLinesMin = 2

/**
 * Removes text of programs that has no standard mark: the signs and advertisements of trackers, and a quoted mail below the
 * line that a phone adds. Such a mail begins with a greeting.
 */
export function withoutResidues(lines: readonly Line[]): { lines: Line[]; residues: string[] } {
  const kept: Line[] = []
  const residues: string[] = []
  for (let at = 0; at < lines.length;) {
    const taken = lines[at]!.kind === 'text' ? residueLength(lines, at) : 0
    for (const line of lines.slice(at, at + taken)) {
      residues.push(line.text)
      kept.push({ kind: 'blank', text: '' })
    }
    if (taken === 0) kept.push(lines[at]!)
    at += Math.max(1, taken)
  }
  const quoted = quotedBelowDevice(kept)
  return quoted === -1
    ? { lines: kept, residues }
    : { lines: kept.slice(0, quoted), residues: [...kept.slice(quoted).map((line) => line.text), ...residues] }
}

function residueLength(lines: readonly Line[], at: number): number {
  const { text } = lines[at]!
  if (text.length > 400) return 0
  if (sign.test(text)) return 1
  if (!advertisement.test(text)) return 0
  const end = lines.slice(at, at + noticeLinesMax).findIndex((line) => line.kind !== 'text')
  return end === -1 ? 1 : end
}

/** Mailtrack's sign, and invisible characters. */
const sign = /^(?:[\s\u1427\u00ad\u115f\u2060-\u2064\u3164]|\u200c|\u200d|\u200e|\u200f|\u034f|\ufe0f)+$/u
const advertisement = sequence(
  [
    /^\s{0,4}/,
    [
      sequence([
        /\[(?:image|cid|bild|imagen?|immagine|imagem|afbeelding|изображение):? ?[^\]]{0,40}?/,
        [
          /mailtrack|mailsuite|beacon|tracker|tracking|pixel|yesware|boomerang|streak|hubspot|mixmax/,
          /superhuman|bananatag|spacer/,
        ],
        /[^\]]{0,60}\]/,
      ]),
      /sender notified by\s|<?https?:\/\/(?:www\.)?mailtrack\.io\b/,
      /(?:sent|tracked) (?:with|by) (?:mailtrack|mailsuite|mixmax|streak|yesware|bananatag)\b/,
    ],
  ],
  'iu',
)

// People don't write a second letter below the line that a phone adds.
function quotedBelowDevice(lines: readonly Line[]): number {
  const device = lines.findIndex((line) => line.kind === 'device')
  if (device === -1 || !lines.slice(0, device).some((line) => line.kind === 'text')) return -1
  const below = lines.slice(device + 1)
  const first = below.findIndex((line) => line.kind !== 'blank')
  if (first < 1 || below[first]!.kind !== 'text' || !greeting.test(below[first]!.text)) return -1
  return below.filter((line) => line.kind === 'text').length >= greetedLinesMin ? device + 1 + first : -1
}

const greeting = sequence(
  [
    /^\s{0,4}/,
    [
      /hi|hello|hey|dear|good (?:morning|afternoon|day)|hallo|guten (?:tag|morgen)|liebe[rs]?|sehr geehrte[rs]?/,
      /bonjour|cher|chère|salut|hola|buen[oa]s|estimad[oa]|ciao|buongiorno|gentile|olá|oi|bom dia|prezad[oa]|car[oa]/,
      /beste|geachte|hej|hei|kære|cześć|dzień dobry|szanown[yia]|dobrý den|ahoj|здравствуйте|добрый день|привет/,
      /merhaba|sayın|γεια|αγαπητ[έή]|bună|stimat[eă]|kedves|tisztelt|こんにちは|您好|你好|안녕하세요/,
    ],
    /(?!\p{L})[^.!?\n]{0,60}[,!:，！]?\s*$/u,
  ],
  'iu',
)
