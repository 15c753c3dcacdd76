import { isFromLine, isHeaderLine, isRule } from './quote-marks.ts'

const headerLinesMax = 20
const unnamedLinesMax = 8

/** The number of lines from here that are headers of the quoted message, as Outlook prints them. 0 if there are none. */
export function headerBlockLength(lines: string[], at: number): number {
  const notes = notesHeaderLength(lines, at)
  if (notes > 0) return notes
  let start = at
  if (isRule(lines[at]!)) {
    start++
    while (start < lines.length && start - at < 4 && lines[start]!.trim() === '') start++
  }
  if (start >= lines.length || /^\s{0,3}>/.test(lines[start]!)) return 0
  const { count, end } = namedHeaders(lines, start)
  const block = lines.slice(start, end + 1)
  if (areHeaders(block, { count, belowRule: start > at })) return end - at + 1
  const unnamed = unnamedHeaderLines(lines.slice(start, start + unnamedLinesMax))
  return unnamed === 0 ? 0 : start - at + unnamed
}

/** The number of headers with known names from here, and the line of the last one. */
function namedHeaders(lines: readonly string[], start: number): { count: number; end: number } {
  let count = 0
  let end = start
  if (!isHeaderLine(lines[start]!)) return { count, end }
  for (let index = start; index < lines.length && index - start < headerLinesMax; index++) {
    const line = lines[index]!
    if (isHeaderLine(line)) {
      count++
      end = index
    } else if (line.trim() === '' && index - end > 1) break
    // A long list of recipients continues in the next line.
    else if (line.trim() !== '' && !/@|^\s/.test(line) && index - end > 1) break
  }
  return { count, end }
}

// Headers contain a date or an address; other lists that people write don't. Below a rule people write no lists.
function areHeaders(block: readonly string[], { count, belowRule }: { count: number; belowRule: boolean }): boolean {
  if (count < 2) return false
  if (belowRule) return true
  const text = block.join('\n')
  if (isFromLine(block[0]!) && text.includes('@')) return true
  return count >= 3 && /@|(?<!\d)(?:19|2[05])\d\d(?!\d)|\d{1,2}[:.h]\d{2}/.test(text)
}

// Lotus Notes prints the sender on the left. On the right it prints the header names above their values.
function notesHeaderLength(lines: readonly string[], at: number): number {
  if (!/^\s{8,}\S/.test(lines[at]!)) return 0
  const block = lines.slice(at, at + 20)
  const to = block.findIndex((line) => /^\s{8,}(?:\S.{0,60})?\s(?:To|An|A|Pour)$/.test(line.trimEnd()))
  const subject = block.findIndex((line) =>
    /^\s{30,}(?:Subject|Thema|Betreff|Objet|Asunto|Oggetto)$/.test(line.trimEnd()),
  )
  if (to === -1 || subject < to || !block.slice(0, subject).some((line) => /\d{1,2}[/.]\d{1,2}/.test(line))) return 0
  return subject + 1 + (/^\s{8,}\S/.test(block[subject + 1] ?? '') ? 1 : 0)
}

/**
 * The number of lines that are message headers in a language without known names: at least three `name: value` lines, an
 * address in the first two, a year and a time in the first three.
 */
function unnamedHeaderLines(lines: readonly string[]): number {
  const end = lines.findIndex(
    (line) => !/^[ \t*]{0,4}\p{L}[\p{L}\p{M} .'’-]{0,24}\*?\s?[:：]\*?\s?\S[^\n]{0,400}$/u.test(line),
  )
  const block = lines.slice(0, end === -1 ? lines.length : end)
  if (block.length < 3 || !/\S@\S/.test(block.slice(0, 2).join(' '))) return 0
  const dated = block
    .slice(0, 3)
    .some((line) => /(?<!\d)(?:19|2[05])\d\d(?!\d)/.test(line) && /\d{1,2}[:.h]\d{2}(?!\d)/.test(line))
  return dated ? block.length : 0
}
