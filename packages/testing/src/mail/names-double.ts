import type { Names } from '@overture/server/platform/mail/names.client.ts'

export interface NamesDouble extends Names {
  /** The answers of each name, one after the other; the last one stays. */
  readonly answers: Map<string, string[][]>
  readonly asked: string[]
}

/** Leads names wherever a test wants, without DNS. */
export function createNamesDouble(): NamesDouble {
  const answers = new Map<string, string[][]>()
  const asked: string[] = []
  return {
    answers,
    asked,
    addressesOf(host) {
      asked.push(host)
      const left = answers.get(host) ?? []
      const addresses = left.length > 1 ? left.shift() : left[0]
      return Promise.resolve(addresses === undefined ? { kind: 'none' } : { kind: 'found', addresses })
    },
  }
}
