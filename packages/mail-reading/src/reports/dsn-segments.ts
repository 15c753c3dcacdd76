import { addressPattern } from './dsn-recipients.ts'

const linesMax = 4_000
const segmentCharsMax = 6_000
/** Lines of an answer that names no recipient, including its command. */
const answerLinesMax = 3

interface Block {
  owners: Set<string>
  lines: string[]
  /** Whether the block says more than which recipients it is about. */
  speaks: boolean
}

/**
 * The text of a notice about each of several recipients, by address in lower case. A segment begins at a line that names the
 * recipient. It ends with the paragraph that says something, or at a line that names another recipient. A recipient without
 * text shares the text of the next one.
 */
export function splitByRecipient(text: string, addresses: readonly string[]): Map<string, string> {
  const wanted = new Set(addresses.map((one) => one.toLowerCase()))
  const blocks = splitBlocks(text.split('\n', linesMax), wanted)
  const segments = new Map<string, string>()
  let later = ''
  for (const block of [...blocks].reverse()) {
    if (block.speaks) later = block.lines.join('\n')
    for (const owner of block.owners) {
      // The blocks are read from the end, so the earlier text is put in front.
      if (block.speaks) segments.set(owner, `${later}\n${segments.get(owner) ?? ''}`.slice(0, segmentCharsMax))
      else if (!segments.has(owner)) segments.set(owner, later)
    }
  }
  return segments
}

function splitBlocks(lines: readonly string[], wanted: ReadonlySet<string>): Block[] {
  const reader = new BlockReader()
  for (const line of lines) {
    const owners = namedIn(line, wanted)
    if (owners.size > 0) reader.begin(owners, line)
    else if (line.startsWith('>>> ')) reader.ahead = [line]
    else if (reader.ahead.length > 0) reader.wait(line)
    else reader.goOn(line)
  }
  return reader.blocks
}

class BlockReader {
  readonly blocks: Block[] = []
  /** A command and the lines of its answer. They belong to the recipient that the answer names, else to the block before. */
  ahead: string[] = []
  #open: Block | null = null

  /** Consecutive lines about the same recipients form one block. */
  begin(owners: Set<string>, line: string): void {
    const speaks = saysMore(line)
    const before = this.#open
    if (before !== null && [...owners].every((one) => before.owners.has(one))) {
      before.lines.push(...this.ahead, line)
      before.speaks ||= speaks
    } else {
      this.#open = { owners, lines: [...this.ahead, line], speaks }
      this.blocks.push(this.#open)
    }
    this.ahead = []
  }

  wait(line: string): void {
    this.ahead.push(line)
    if (this.ahead.length <= answerLinesMax) return
    this.#open?.lines.push(...this.ahead)
    this.ahead = []
  }

  /** Adds a line to the block. An empty line ends a block that already says something. */
  goOn(line: string): void {
    if (this.#open === null) return
    if (line.trim() === '' && this.#open.speaks) {
      this.#open = null
      return
    }
    this.#open.lines.push(line)
    this.#open.speaks ||= /\p{L}{2}/u.test(line)
  }
}

function namedIn(line: string, wanted: ReadonlySet<string>): Set<string> {
  const found = new Set<string>()
  for (const match of line.slice(0, 2_000).matchAll(addressPattern)) {
    const address = match[0].replace(/^[-.#]+|[-.]+$/g, '').toLowerCase()
    if (wanted.has(address)) found.add(address)
  }
  return found
}

// Whether a line is more than a label: it has two words after the address, or a sentence or a code before it.
function saysMore(line: string): boolean {
  const at = line.lastIndexOf('@')
  const behind = line.slice(at).replace(/^@[^\s<>"',;:()]{1,255}/, '')
  const before = line.slice(0, line.indexOf('@'))
  return (
    (behind.match(/\p{L}{2,}/gu) ?? []).length > 1 ||
    /(?<!\d)[45]\d\d(?!\d)/.test(before) ||
    (before.match(/\p{L}{2,}/gu) ?? []).length > 4
  )
}
