import { documentForm } from './open-search-documents.ts'

export const indexKinds = ['people', 'companies'] as const
export type IndexKind = (typeof indexKinds)[number]

interface KnownName {
  kind: IndexKind
  form: number
}

/**
 * The names of indices. Searches use one alias per kind and document form, behind which is the index of one load. Two versions
 * with different forms can therefore search side by side during an upgrade.
 */
export class IndexNames {
  readonly #start: string

  constructor(prefix: string, dataset: string) {
    this.#start = `${prefix}-${dataset}`
  }

  /** Matches all our indices, and possibly others; `known` decides. */
  get pattern(): string {
    return `${this.#start}-*`
  }

  alias(kind: IndexKind): string {
    return `${this.#start}-${kind}-f${documentForm}`
  }

  ofLoad(kind: IndexKind, load: string): string {
    return `${this.alias(kind)}-${load}`
  }

  /** Null if the index is not ours. Before form 3, index names contained neither form nor load. */
  known(name: string): KnownName | null {
    for (const kind of indexKinds) {
      const start = `${this.#start}-${kind}`
      if (name === start) return { kind, form: 0 }
      const found = name.startsWith(start) ? /^-f(\d{1,6})-[0-9a-f]{16}$/.exec(name.slice(start.length)) : null
      if (found) return { kind, form: Number(found[1]) }
    }
    return null
  }
}
