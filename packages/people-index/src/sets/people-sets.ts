import { bitWords, keepOwned, or, setBit, setList, setOwned, sumOwned, type Bits } from './bit-kernel.ts'

/** From this share of all people on, or-ing stored bits is cheaper than setting single bits. */
const denseShare = 64

/** One field of people: for each code a bit set if it is frequent, else a sorted list. */
export class PeopleSets {
  readonly #counts: Uint32Array
  readonly #bitsByCode: (Bits | null)[]
  /** The lists of all rare codes, one after another. */
  readonly #offsets: Uint32Array
  readonly #docs: Uint32Array
  readonly #hasLists: boolean

  /**
   * `values(doc)` gives the codes of a document, each once. Codes from `codes` on mean no value. Without `lists`, rare codes are
   * only counted.
   */
  constructor(
    size: number,
    shape: { codes: number; lists: boolean },
    values: (doc: number, add: (code: number) => void) => void,
  ) {
    const { codes } = shape
    const counts = new Uint32Array(codes)
    for (let doc = 0; doc < size; doc++) {
      values(doc, (code) => {
        if (code < codes) counts[code]! += 1
      })
    }
    this.#counts = counts
    this.#hasLists = shape.lists
    this.#bitsByCode = Array.from(counts, (found) =>
      found > 0 && found * denseShare >= size ? new Uint32Array(bitWords(size)) : null,
    )
    this.#offsets = new Uint32Array(codes + 1)
    for (let code = 0; code < codes; code++) {
      const length = shape.lists && this.#bitsByCode[code] === null ? counts[code]! : 0
      this.#offsets[code + 1] = this.#offsets[code]! + length
    }
    this.#docs = new Uint32Array(this.#offsets[codes]!)
    this.#fill(size, values)
  }

  #fill(size: number, values: (doc: number, add: (code: number) => void) => void): void {
    const bitsByCode = this.#bitsByCode
    const docs = this.#docs
    const hasLists = this.#hasLists
    const next = this.#offsets.slice()
    for (let doc = 0; doc < size; doc++) {
      values(doc, (code) => {
        if (code >= bitsByCode.length) return
        const bits = bitsByCode[code]!
        if (bits !== null) setBit(bits, doc)
        else if (hasLists) docs[next[code]!++] = doc
      })
    }
  }

  get bytes(): number {
    return this.#docs.byteLength + this.#bitsByCode.reduce((sum, bits) => sum + (bits?.byteLength ?? 0), 0)
  }

  count(code: number): number {
    return this.#counts[code] ?? 0
  }

  /** The stored bits of a code. Null if it is rare. */
  bits(code: number): Bits | null {
    return this.#bitsByCode[code] ?? null
  }

  /** Whether the documents of the code are in memory, or there are none. */
  holds(code: number): boolean {
    return this.#hasLists || this.count(code) === 0 || this.bits(code) !== null
  }

  /** The documents of a rare code, sorted. */
  list(code: number): Uint32Array {
    return this.#docs.subarray(this.#offsets[code] ?? 0, this.#offsets[code + 1] ?? 0)
  }

  addTo(to: Bits, code: number): void {
    const bits = this.bits(code)
    if (bits !== null) or(to, to, bits)
    else setList(to, this.list(code))
  }
}

/** The mapping between people and companies in both directions. */
export class Employment {
  readonly offsets: Uint32Array
  readonly docs: Uint32Array
  readonly #companyOf: Uint32Array
  /** A set of companies with a place for "no company", which no set contains. */
  readonly #owners: Bits

  /** `companies` is by person. Numbers from `size` on mean no company. */
  constructor(companies: Uint32Array, size: number) {
    const offsets = new Uint32Array(size + 1)
    this.#companyOf = companies.map((company) => Math.min(company, size))
    for (const company of this.#companyOf) if (company < size) offsets[company + 1]! += 1
    for (let company = 0; company < size; company++) offsets[company + 1]! += offsets[company]!
    this.offsets = offsets
    this.docs = new Uint32Array(offsets[size]!)
    const next = offsets.slice()
    this.#companyOf.forEach((company, doc) => {
      if (company < size) this.docs[next[company]!++] = doc
    })
    this.#owners = new Uint32Array(bitWords(size + 1))
  }

  get bytes(): number {
    return this.offsets.byteLength + this.docs.byteLength + this.#companyOf.byteLength
  }

  /** The number of people of these companies. */
  count(companies: Bits): number {
    return sumOwned(companies, this.offsets)
  }

  addTo(to: Bits, companies: Bits): void {
    setOwned(to, companies, this)
  }

  /** Keeps people of these companies. */
  keep(to: Bits, companies: Bits): void {
    this.#owners.set(companies)
    keepOwned(to, this.#companyOf, this.#owners)
  }

  /** The people of a company, sorted. */
  list(company: number): Uint32Array {
    return this.docs.subarray(this.offsets[company], this.offsets[company + 1])
  }
}
