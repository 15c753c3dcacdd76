import { hash } from 'node:crypto'

const wordingsMax = 100_000

/** What a person's row needs to know of its company. */
interface KnownCompany {
  id: string
  employeeCount: number | null
}

/** Companies by the words in which a file told of them, as far as those were the last of that company. */
export class KnownCompanies {
  readonly #byWords = new Map<string, KnownCompany>()
  readonly #latest = new Map<string, KnownCompany>()

  find(words: string): KnownCompany | undefined {
    const known = this.#byWords.get(digest(words))
    return known !== undefined && this.#latest.get(known.id) === known ? known : undefined
  }

  add(words: string, { id, employeeCount }: KnownCompany): void {
    if (this.#byWords.size >= wordingsMax) {
      this.#byWords.clear()
      this.#latest.clear()
    }
    const known = { id, employeeCount }
    this.#byWords.set(digest(words), known)
    this.#latest.set(id, known)
  }
}

function digest(words: string): string {
  return hash('sha1', words, 'base64')
}
