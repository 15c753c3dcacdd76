import { companyNameParts, fuzzyLengthMin, isOneEdit } from './records/text.ts'
import { Dimension, lowerBound } from './sets/postings.ts'
import { WordNeighbours } from './word-neighbours.ts'

/** The closeness tiers: equal names, equal with one edit, names with more words, and names with more words and one edit. */
const nameTierCount = 4

/** Finds companies by the words of their name, with one typing error allowed in one word (docs/contract.md, "AI and credits"). */
export class CompanyNames {
  readonly #wordCodes = new Map<string, number>()
  readonly #neighbours: WordNeighbours
  readonly #companies: Dimension
  readonly #wordCounts: Uint8Array
  readonly #byJoined = new Map<string, number[]>()
  readonly #formCodes = new Map<string, number>()
  readonly #forms: Dimension

  constructor(names: readonly string[]) {
    const parts = names.map(companyNameParts)
    const coded = parts.map(({ words }) => words.map((word) => wordCode(this.#wordCodes, word)))
    this.#wordCounts = Uint8Array.from(coded, (codes) => Math.min(255, codes.length))
    const unique = coded.map((codes) => [...new Set(codes)])
    this.#companies = new Dimension(names.length, this.#wordCodes.size, (company, add) => unique[company]!.forEach(add))
    this.#neighbours = new WordNeighbours([...this.#wordCodes.keys()], fuzzyLengthMin)
    const formsByPart = parts.map(({ longForms }) =>
      [...new Set(longForms)].map((form) => wordCode(this.#formCodes, form)),
    )
    this.#forms = new Dimension(names.length, this.#formCodes.size, (company, add) =>
      formsByPart[company]!.forEach(add),
    )
    parts.forEach(({ words }, company) => {
      const joined = words.join('')
      const same = this.#byJoined.get(joined)
      if (same) same.push(company)
      else this.#byJoined.set(joined, [company])
    })
  }

  /** Companies by closeness: `nameTierCount` sorted, disjoint lists. */
  find(query: readonly string[]): Uint32Array[] {
    const exact = query.map((word) => this.#companiesOf(this.#wordCodes.get(word)))
    const tiers: Set<number>[] = Array.from({ length: nameTierCount }, () => new Set<number>())
    const seen = new Set<number>()
    const put = (company: number, edited: 0 | 1, wordCount = query.length) => {
      if (seen.has(company)) return
      seen.add(company)
      tiers[(this.#wordCounts[company] === wordCount ? 0 : 2) + edited]!.add(company)
    }
    for (const company of this.#byJoined.get(query.join('')) ?? []) {
      seen.add(company)
      tiers[0]!.add(company)
    }
    for (const company of intersect(exact)) put(company, 0)
    query.forEach((word, index) => {
      const others = exact.filter((_, other) => other !== index)
      const close = merge(this.#neighbours.find(word).map((code) => this.#companies.list(code)))
      for (const company of intersect([close, ...others])) put(company, 1)
    })
    // "Acme Gruop": names are indexed without their legal form, but a query may contain a mistyped one.
    if (query.length > 1) {
      query.forEach((word, index) => {
        const forms = merge(this.#formsLike(word).map((code) => this.#forms.list(code)))
        const others = exact.filter((_, other) => other !== index)
        for (const company of intersect([forms, ...others])) put(company, 1, query.length - 1)
      })
    }
    return tiers.map((tier) => Uint32Array.from(tier).sort())
  }

  #formsLike(word: string): number[] {
    return [...this.#formCodes].flatMap(([form, code]) => (form === word || isOneEdit(form, word) ? [code] : []))
  }

  #companiesOf(code: number | undefined): Uint32Array {
    return code === undefined ? noCompanies : this.#companies.list(code)
  }
}

function wordCode(codes: Map<string, number>, word: string): number {
  const known = codes.get(word)
  if (known !== undefined) return known
  codes.set(word, codes.size)
  return codes.size - 1
}

const noCompanies = new Uint32Array(0)

function merge(lists: readonly Uint32Array[]): Uint32Array {
  if (lists.length === 1) return lists[0]!
  return Uint32Array.from(new Set(lists.flatMap((list) => [...list]))).sort()
}

/** The intersection of sorted lists: each item of the shortest list is searched for in the others. */
function intersect(lists: readonly Uint32Array[]): number[] {
  const [shortest, ...rest] = lists.toSorted((left, right) => left.length - right.length)
  const common: number[] = []
  for (const company of shortest ?? noCompanies) {
    if (rest.every((list) => list[lowerBound(list, company)] === company)) common.push(company)
  }
  return common
}
