import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { RefusedReport, reportLimits } from './report-limits.ts'

export interface ElementHandlers {
  /** Called at the end of each element without children, with its path below `feedback`, such as `record/row/count`. */
  value(path: string, text: string): void
  /** Called at the end of each element with children. */
  end(path: string): void
}

const root = 'feedback'
/** Mime type and file name say nothing certain, so the encoding is that of the byte order mark, or UTF-8. */
const marks: readonly (readonly [mark: readonly number[], encoding: string])[] = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

interface OpenElement {
  path: string
  hasChildren: boolean
}

/** Reads the elements of a report from its bytes, piece by piece. It refuses a DTD, entities, and elements beyond the limits. */
export class ReportElements {
  readonly #parser = new SaxesParser()
  readonly #handlers: ElementHandlers
  readonly #open: OpenElement[] = []
  #decoder: InstanceType<typeof TextDecoder> | null = null
  #prefix = ''
  #text = ''
  /** Characters that were read after the last token. The parser keeps all of them in memory. */
  #pending = 0
  #attributes = 0
  #elements = 0

  constructor(handlers: ElementHandlers) {
    this.#handlers = handlers
    const parser = this.#parser
    parser.on('error', (error) => {
      throw new RefusedReport(classifyFault(error.message, this.#open.length === 0 && this.#prefix === ''))
    })
    parser.on('doctype', () => {
      throw new RefusedReport('doctype')
    })
    parser.on('attribute', () => {
      if (++this.#attributes > reportLimits.attributes) throw new RefusedReport('text_too_long')
    })
    parser.on('opentag', (tag) => this.#begin(tag))
    parser.on('closetag', () => this.#end())
    parser.on('text', (text) => this.#add(text))
    parser.on('cdata', (text) => this.#add(text))
    parser.on('comment', () => this.#token())
    parser.on('processinginstruction', () => this.#token())
  }

  write(bytes: Uint8Array): void {
    this.#decoder ??= new TextDecoder(detectEncoding(bytes))
    this.#feed(this.#decoder.decode(bytes, { stream: true }))
  }

  close(): void {
    this.#feed(this.#decoder?.decode() ?? '')
    this.#parser.close()
    if (this.#prefix === '') throw new RefusedReport('not_a_report')
  }

  // In small pieces, so that one long text is noticed before the parser has collected it.
  #feed(text: string): void {
    for (let at = 0; at < text.length; at += reportLimits.textCharacters) {
      const piece = text.slice(at, at + reportLimits.textCharacters)
      this.#pending += piece.length
      this.#parser.write(piece)
      if (this.#pending > 2 * reportLimits.textCharacters) throw new RefusedReport('text_too_long')
    }
  }

  #token(): void {
    this.#pending = 0
  }

  #begin({ name }: SaxesTagPlain): void {
    this.#token()
    this.#attributes = 0
    if (++this.#elements > reportLimits.elements) throw new RefusedReport('too_many_rows')
    if (this.#open.length >= reportLimits.depth) throw new RefusedReport('too_deep')
    const parent = this.#open.at(-1)
    if (parent === undefined) this.#beginRoot(name)
    else {
      parent.hasChildren = true
      this.#open.push({ path: joinPath(parent.path, this.#localName(name)), hasChildren: false })
    }
    this.#text = ''
  }

  #beginRoot(name: string): void {
    const [local = '', prefix = ''] = name.split(':').toReversed()
    if (local !== root) throw new RefusedReport('not_a_report')
    this.#prefix = `${prefix}:`
    this.#open.push({ path: '', hasChildren: false })
  }

  /** Elements of extensions have another prefix than the root, so their names are never those of the report. */
  #localName(name: string): string {
    if (this.#prefix === ':') return name
    return name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : `:${name}`
  }

  #add(text: string): void {
    this.#token()
    if (this.#text.length + text.length > reportLimits.textCharacters) throw new RefusedReport('text_too_long')
    this.#text += text
  }

  #end(): void {
    this.#token()
    const closed = this.#open.pop()
    if (closed === undefined) return
    if (closed.hasChildren) this.#handlers.end(closed.path)
    else this.#handlers.value(closed.path, this.#text.trim())
    this.#text = ''
  }
}

function joinPath(parent: string, name: string): string {
  return parent === '' ? name : `${parent}/${name}`
}

function detectEncoding(bytes: Uint8Array): string {
  return marks.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1] ?? 'utf-8'
}

/** The parser knows the five entities of XML only. Every other one would need a DTD. */
function classifyFault(message: string, isStart: boolean): 'entity' | 'not_a_report' | 'not_well_formed' {
  if (/entity/i.test(message)) return 'entity'
  return isStart ? 'not_a_report' : 'not_well_formed'
}
