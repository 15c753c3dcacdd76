import { documentForm } from './open-search-documents.ts'

export const indexKinds = ['people', 'companies'] as const
export type IndexKind = (typeof indexKinds)[number]

interface KnownName {
  kind: IndexKind
  form: number
}

/**
 * Searches go to an alias per kind and form of documents; behind it lies one index of the load that filled it. Servers of
 * two versions with other forms therefore search side by side while one is replaced by the other.
 */
export class IndexNames {
  private readonly start: string

  constructor(prefix: string, dataset: string) {
    this.start = `${prefix}-${dataset}`
  }

  /** Finds all of them, and perhaps those of others: `known` tells. */
  get pattern(): string {
    return `${this.start}-*`
  }

  alias(kind: IndexKind): string {
    return `${this.start}-${kind}-f${documentForm}`
  }

  ofLoad(kind: IndexKind, load: string): string {
    return `${this.alias(kind)}-${load}`
  }

  /** Null for an index of somebody else. Before form 3 an index had no form or load in its name. */
  known(name: string): KnownName | null {
    for (const kind of indexKinds) {
      const start = `${this.start}-${kind}`
      if (name === start) return { kind, form: 0 }
      const found = name.startsWith(start) ? /^-f(\d{1,6})-[0-9a-f]{16}$/.exec(name.slice(start.length)) : null
      if (found) return { kind, form: Number(found[1]) }
    }
    return null
  }
}
