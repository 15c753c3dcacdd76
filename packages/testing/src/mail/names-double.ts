import type { Names } from '@overture/server/platform/mail/names.client.ts'

export interface NamesDouble extends Names {
  /** The DNS responses by name, used in order; the last one is repeated. */
  readonly answers: Map<string, string[][]>
  readonly asked: string[]
}

/** Resolves names as the test defines, without DNS. */
export function createNamesDouble(): NamesDouble {
  const answers = new Map<string, string[][]>()
  const asked: string[] = []
  return {
    answers,
    asked,
    listAddresses(host) {
      asked.push(host)
      const remaining = answers.get(host) ?? []
      const addresses = remaining.length > 1 ? remaining.shift() : remaining[0]
      return Promise.resolve(addresses === undefined ? { kind: 'none' } : { kind: 'found', addresses })
    },
  }
}
