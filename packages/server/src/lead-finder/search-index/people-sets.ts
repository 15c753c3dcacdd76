import { BitMemory, hasWasm, type KernelKind } from './bit-kernel.ts'
import { bitWords } from './postings.ts'

/** From this share of all people on, or-ing stored bits is cheaper than setting single bits. */
const denseShare = 64
/** Below this number of people a separate WebAssembly memory is not worth its cost. */
const wasmPeopleMin = 50_000
/** The usual memory per person and company, as the initial size. The memory grows if necessary. */
const bytesPerPerson = 140
const bytesPerCompany = 8

/** The memory for the people of a segment: sets of all people, and the space for computing results. */
export class Universe {
  readonly size: number
  readonly companies: number
  /** The size of one set of people, and of one set of companies. */
  readonly bytes: number
  readonly companyBytes: number
  readonly memory: BitMemory
  readonly all: number
  readonly result: number
  readonly other: number
  readonly owners: number

  constructor(size: number, companies: number, kind?: KernelKind) {
    this.size = size
    this.companies = companies
    this.bytes = bytesOf(size)
    // One more, because people without a company have the number after the last one.
    this.companyBytes = bytesOf(companies + 1)
    const chosen = kind ?? (size >= wasmPeopleMin && hasWasm() ? 'wasm' : 'javascript')
    this.memory = new BitMemory(size * bytesPerPerson + companies * bytesPerCompany, chosen)
    this.all = this.memory.allocate(this.bytes)
    this.result = this.memory.allocate(this.bytes)
    this.other = this.memory.allocate(this.bytes)
    this.owners = this.memory.allocate(this.companyBytes)
    const words = this.words(this.all)
    words.fill(0xffffffff)
    if (size & 31) words[words.length - 1] = (1 << (size & 31)) - 1
  }

  /** A set as words, without its padding. */
  words(at: number): Uint32Array {
    return this.memory.list(at, bitWords(this.size))
  }

  /** A column, padded so that the kernel can read it in steps. */
  column(values: Uint8Array | Uint32Array | Int32Array): number {
    const at = this.memory.allocate(this.bytes * 8 * values.BYTES_PER_ELEMENT)
    this.memory.bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at)
    return at
  }

  loadOwners(bits: Uint32Array): void {
    this.memory.words.set(bits, this.owners >>> 2)
  }
}

function bytesOf(size: number): number {
  return Math.max(16, Math.ceil(size / 128) * 16)
}

/** One field of people: for each code a bit set if it is frequent, else a sorted list. */
export class PeopleSets {
  private readonly universe: Universe
  private readonly counts: Uint32Array
  /** 0 if the code has a list. */
  private readonly bits: Float64Array
  private readonly lists: Float64Array

  /**
   * `values(doc)` gives the codes of a document, each once. Codes from `codes` on mean no value. Without `lists`, rare codes are
   * only counted.
   */
  constructor(
    universe: Universe,
    shape: { codes: number; lists: boolean },
    values: (doc: number, add: (code: number) => void) => void,
  ) {
    const { size, memory, bytes } = universe
    const { codes } = shape
    this.universe = universe
    this.counts = new Uint32Array(codes)
    const { counts } = this
    for (let doc = 0; doc < size; doc++) {
      values(doc, (code) => {
        if (code < codes) counts[code]! += 1
      })
    }
    this.bits = new Float64Array(codes)
    this.lists = new Float64Array(codes)
    for (let code = 0; code < codes; code++) {
      if (counts[code]! > 0 && counts[code]! * denseShare >= size) this.bits[code] = memory.allocate(bytes)
      else if (shape.lists) this.lists[code] = memory.allocate(counts[code]! * 4)
    }
    this.fill(values)
  }

  private fill(values: (doc: number, add: (code: number) => void) => void): void {
    const { words } = this.universe.memory
    const { bits } = this
    const next = this.lists.map((at) => at / 4)
    for (let doc = 0; doc < this.universe.size; doc++) {
      values(doc, (code) => {
        if (code >= bits.length) return
        if (bits[code]! > 0) words[bits[code]! / 4 + (doc >>> 5)]! |= 1 << (doc & 31)
        else if (next[code]! > 0) words[next[code]!++] = doc
      })
    }
  }

  count(code: number): number {
    return this.counts[code] ?? 0
  }

  /** The address of the code's bits; 0 if it is rare. */
  bitsAt(code: number): number {
    return this.bits[code] ?? 0
  }

  /** Whether the documents of the code are in memory, or there are none. */
  holds(code: number): boolean {
    return this.count(code) === 0 || this.bits[code]! > 0 || this.lists[code]! > 0
  }

  /** The documents of a rare code, sorted. */
  list(code: number): Uint32Array {
    return this.universe.memory.list(this.lists[code]!, this.counts[code]!)
  }

  addTo(to: number, code: number): void {
    const { kernel } = this.universe.memory
    const bits = this.bitsAt(code)
    if (bits > 0) kernel.or(to, bits, this.universe.bytes)
    else if (this.count(code) > 0) kernel.setList(to, this.lists[code]!, this.counts[code]!)
  }
}

/** The mapping between people and companies in both directions. */
export class Employment {
  private readonly universe: Universe
  private readonly offsets: number
  private readonly docs: number
  private readonly companyOf: number

  /** `companies` is by person. Numbers after the last company mean no company. */
  constructor(universe: Universe, companies: Uint32Array) {
    this.universe = universe
    const { memory, size } = universe
    const offsets = new Uint32Array(universe.companyBytes * 8 + 2)
    for (let doc = 0; doc < size; doc++) {
      const company = companies[doc]!
      if (company < universe.companies) offsets[company + 1]! += 1
    }
    for (let company = 1; company < offsets.length; company++) offsets[company]! += offsets[company - 1]!
    const docs = new Uint32Array(offsets.at(-1)!)
    const next = offsets.slice()
    const column = new Uint32Array(size)
    for (let doc = 0; doc < size; doc++) {
      const company = companies[doc]!
      column[doc] = Math.min(company, universe.companies)
      if (company < universe.companies) docs[next[company]!++] = doc
    }
    this.offsets = memory.put(offsets)
    this.docs = memory.put(docs)
    this.companyOf = universe.column(column)
  }

  /** The number of people of these companies. */
  count(companies: Uint32Array): number {
    const { universe } = this
    universe.loadOwners(companies)
    return universe.memory.kernel.sumOwned(universe.owners, universe.companyBytes, this.offsets)
  }

  addTo(to: number, companies: Uint32Array): void {
    const { universe } = this
    universe.loadOwners(companies)
    universe.memory.kernel.setOwned(to, universe.owners, universe.companyBytes, this.offsets, this.docs)
  }

  /** Keeps people of these companies. */
  keep(to: number, companies: Uint32Array): void {
    const { universe } = this
    universe.loadOwners(companies)
    universe.memory.kernel.keepOwned(to, universe.bytes, this.companyOf, universe.owners)
  }

  /** The people of a company, sorted. */
  list(company: number): Uint32Array {
    const { words } = this.universe.memory
    const at = (this.offsets >>> 2) + company
    return words.subarray((this.docs >>> 2) + words[at]!, (this.docs >>> 2) + words[at + 1]!)
  }
}
