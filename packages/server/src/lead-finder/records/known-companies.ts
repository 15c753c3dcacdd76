import { hash } from 'node:crypto'

const wordingsMax = 100_000

/** The fields of a company that a person's row needs. */
interface KnownCompany {
  id: string
  employeeCount: number | null
}

/** Companies by the exact data in a file's rows, as long as that was the latest data of the company. */
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
