import { rowCharsMax } from '@overture/ground/text/csv-text.ts'
import { decodeText, detachedText } from './workbook-values.ts'
import {
  type Attributes,
  type ElementHandlers,
  localName,
  mebibyte,
  tooLargeWorkbook,
  UnreadableWorkbookError,
} from './workbook-xml.ts'

const sharedCharsMax = 50_000_000
const sharedTextsMax = 5_000_000
/** The length of a shared text that is kept. A row with a longer one is rejected anyway. */
const sharedTextCharsMax = rowCharsMax + 1
const sheetsMax = 1_000
const stylesMax = 65_000

export interface Sheet {
  name: string
  relation: string
  isHidden: boolean
}

/** Reads `xl/workbook.xml`: the sheets in their order, and whether dates are counted from 1904. */
export class WorkbookPart implements ElementHandlers {
  readonly bytesMax = 8 * mebibyte
  readonly sheets: Sheet[] = []
  countsFrom1904 = false

  open(name: string, attributes: Attributes): void {
    if (name === 'workbookPr') this.countsFrom1904 = ['1', 'true'].includes(attributes['date1904'] ?? '')
    if (name !== 'sheet') return
    if (this.sheets.length === sheetsMax)
      throw new UnreadableWorkbookError(`The workbook has more than ${sheetsMax} sheets.`)
    const relation = Object.entries(attributes).find(([key]) => localName(key) === 'id')?.[1] ?? ''
    const isHidden = ['hidden', 'veryHidden'].includes(attributes['state'] ?? '')
    this.sheets.push({ name: attributes['name'] ?? '', relation, isHidden })
  }
}

/** Reads `xl/_rels/workbook.xml.rels`: the part of each relation. */
export class RelationsPart implements ElementHandlers {
  readonly bytesMax = 4 * mebibyte
  readonly parts = new Map<string, string>()

  open(name: string, { Id: id, Target: target }: Attributes): void {
    if (name !== 'Relationship' || id === undefined || target === undefined || this.parts.size === sheetsMax * 2) return
    this.parts.set(id, partAt(target, 'xl'))
  }
}

/**
 * The name of a part, as it is compared: in small letters, without a leading slash. A target is relative to the folder of the part
 * that names it. Source: ECMA-376-2, 6.2 and 6.5.
 */
export function partAt(target: string, folder = ''): string {
  const path = decodePercent(target).replaceAll('\\', '/')
  const segments = path.startsWith('/') || folder === '' ? [] : [folder]
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments.join('/').toLowerCase()
}

function decodePercent(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}

/** Reads `xl/sharedStrings.xml`. Readings of East Asian texts (`rPh`) are not part of a text. */
export class SharedStrings implements ElementHandlers {
  readonly bytesMax = 256 * mebibyte
  readonly texts: string[] = []
  #text = ''
  #chars = 0
  #inText = false
  #inReading = false

  open(name: string): void {
    if (name === 'si') this.#text = ''
    if (name === 'rPh') this.#inReading = true
    this.#inText = name === 't' && !this.#inReading
  }

  text(text: string): void {
    if (!this.#inText) return
    this.#chars += text.length
    if (this.#chars > sharedCharsMax) throw tooLargeWorkbook()
    if (this.#text.length < sharedTextCharsMax) this.#text += text
  }

  close(name: string): void {
    this.#inText = false
    if (name === 'rPh') this.#inReading = false
    if (name !== 'si') return
    if (this.texts.length === sharedTextsMax) throw tooLargeWorkbook()
    this.texts.push(detachedText(decodeText(this.#text)))
  }
}

/** Reads `xl/styles.xml`: the indexes of the cell formats that show dates or times, and of those that show durations. */
export class Styles implements ElementHandlers {
  readonly bytesMax = 64 * mebibyte
  readonly dates = new Set<number>()
  readonly durations = new Set<number>()
  readonly #dateFormats = new Set<number>()
  readonly #durationFormats = new Set([durationFormat])
  #inFormats = false
  #count = 0

  open(name: string, attributes: Attributes): void {
    const format = Number(attributes['numFmtId'])
    const code = name === 'numFmt' ? (attributes['formatCode'] ?? '').slice(0, codeCharsMax) : ''
    if (showsDate(code)) this.#dateFormats.add(format)
    if (showsDuration(code)) this.#durationFormats.add(format)
    if (name === 'cellXfs') this.#inFormats = true
    if (name !== 'xf' || !this.#inFormats || this.#count === stylesMax) return
    if (this.#durationFormats.has(format)) this.durations.add(this.#count)
    else if (isBuiltInDate(format) || this.#dateFormats.has(format)) this.dates.add(this.#count)
    this.#count++
  }

  close(name: string): void {
    if (name === 'cellXfs') this.#inFormats = false
  }
}

/** The built-in formats of dates and times. Source: ECMA-376-1, 18.8.30. */
function isBuiltInDate(format: number): boolean {
  return (format >= 14 && format <= 22) || (format >= 27 && format <= 36) || (format >= 45 && format <= 58)
}

/** The built-in format `[h]:mm:ss`. */
const durationFormat = 46
const codeCharsMax = 255

function showsDuration(code: string): boolean {
  return /\[(?:h+|m+|s+)\]/i.test(code.replaceAll(/"[^"]*"|\\./g, ''))
}

function showsDate(code: string): boolean {
  const shown = code.replaceAll(/"[^"]*"|\\.|_./g, '').replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  return /[ymdhs]/i.test(shown.replaceAll(/general/gi, ''))
}
