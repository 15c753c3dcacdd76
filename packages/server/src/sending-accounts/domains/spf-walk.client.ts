import type { Answer } from './dns-answer.ts'
import {
  costsLookup,
  hostsContain,
  isSpfRecord,
  networkContains,
  readAddresses,
  readSpf,
  type Address,
  type SpfFault,
  type SpfTerm,
  type SpfWalk,
} from './spf.ts'

/** The DNS queries of a walk. */
export interface SpfNames {
  txt(name: string): Promise<Answer>
  mx(name: string): Promise<Answer>
  /** The IPv4 and IPv6 addresses of a name. */
  addresses(name: string): Promise<Answer>
}

/** More queries than a valid record needs: ten lookups, and the addresses of a few exchanges. */
const queriesMax = 60
const exchangesMax = 10
const nestingMax = 10

/**
 * Follows the includes and redirects of an SPF record as receivers do (RFC 7208, 4.6.4). It counts all lookups, also those after a
 * match, because a record must be valid for every sender. Loops and very large trees end at a bound.
 */
export async function walkSpf(
  dns: SpfNames,
  root: { domain: string; record: string; addresses: readonly string[] },
): Promise<SpfWalk> {
  const walker = new SpfWalker(dns, readAddresses(root.addresses))
  return walker.walk(root.domain, root.record)
}

/** `undecided`: a term depends on the message (macros), or a name server gave no response. */
type Outcome = 'pass' | 'other' | 'none' | 'undecided'

class SpfWalker {
  #queries = 0
  #lookups = 0
  readonly #voids = new Set<string>()
  readonly #names = new Set<string>()
  #fault: SpfFault | null = null
  readonly #dns: SpfNames
  readonly #hosts: readonly Address[]

  constructor(dns: SpfNames, hosts: readonly Address[]) {
    this.#dns = dns
    this.#hosts = hosts
  }

  async walk(domain: string, record: string): Promise<SpfWalk> {
    const costs: SpfWalk['costs'] = []
    const outcome = await this.#evaluate({ domain, record, path: [domain] }, (term, lookups) =>
      costs.push({ term, lookups }),
    )
    const covered = this.#hosts.length === 0 || outcome === 'undecided' ? null : outcome === 'pass'
    return {
      lookups: this.#lookups,
      costs,
      voids: [...this.#voids],
      names: [...this.#names],
      fault: this.#fault,
      covered,
    }
  }

  async #evaluate(
    node: { domain: string; record: string; path: readonly string[] },
    cost: (term: string, lookups: number) => void = () => undefined,
  ): Promise<Outcome> {
    const terms = readSpf(node.record)
    const end = terms.findIndex(({ kind }) => kind === 'all')
    // Terms after `all` are ignored. A redirect counts only without `all`.
    const counted = end === -1 ? terms : terms.slice(0, end + 1).filter(({ kind }) => kind !== 'redirect')
    const last = counted.filter(({ kind }) => kind === 'redirect').slice(0, 1)
    let result: Outcome = 'none'
    for (const term of [...counted.filter(({ kind }) => kind !== 'redirect'), ...last]) {
      const before = this.#lookups
      const outcome = await this.#visit(term, node)
      if (costsLookup(term)) cost(term.text, this.#lookups - before)
      if (result === 'none') result = outcome
      if (result === 'undecided' && outcome === 'pass') result = outcome
    }
    return result
  }

  async #visit(term: SpfTerm, node: { domain: string; path: readonly string[] }): Promise<Outcome> {
    if (term.kind === 'faulty') {
      this.#fault ??= { kind: 'syntax', name: node.domain, term: term.text }
      return 'undecided'
    }
    if (costsLookup(term)) this.#lookups += 1
    const target = term.value ?? node.domain
    if (term.kind === 'other') return 'none'
    if (term.kind === 'all') return matched(term, true)
    if (term.kind === 'ip4' || term.kind === 'ip6')
      return matched(
        term,
        this.#hosts.some((host) => networkContains(term, host)),
      )
    if (term.kind === 'ptr') return 'undecided'
    if (target.includes('%')) return 'undecided'
    if (target !== node.path[0]) this.#names.add(target)
    if (term.kind === 'include' || term.kind === 'redirect') return this.#enter(term, target, node.path)
    return this.#resolve(term, target)
  }

  async #enter(term: SpfTerm, target: string, path: readonly string[]): Promise<Outcome> {
    if (path.includes(target) || path.length > nestingMax) {
      this.#fault ??= { kind: 'loop', name: target }
      return 'undecided'
    }
    const answer = await this.#ask('txt', target)
    if (answer.kind === 'unknown') return 'undecided'
    const records = answer.kind === 'found' ? answer.values.filter(isSpfRecord) : []
    const [record] = records
    if (record === undefined) {
      this.#fault ??= { kind: 'no_record', name: target }
      return 'undecided'
    }
    if (records.length > 1) {
      this.#fault ??= { kind: 'two_records', name: target }
      return 'undecided'
    }
    const outcome = await this.#evaluate({ domain: target, record, path: [...path, target] })
    // An include matches only if its record passes. A redirect replaces the record.
    if (term.kind === 'redirect' || outcome === 'undecided') return outcome
    return matched(term, outcome === 'pass')
  }

  async #resolve(term: SpfTerm, target: string): Promise<Outcome> {
    if (term.kind === 'exists') {
      const answer = await this.#ask('addresses', target)
      return answer.kind === 'unknown' ? 'undecided' : matched(term, answer.kind === 'found')
    }
    const names = term.kind === 'mx' ? await this.#ask('mx', target) : ({ kind: 'found', values: [target] } as const)
    if (names.kind !== 'found') return names.kind === 'unknown' ? 'undecided' : 'none'
    const addresses: string[] = []
    let isKnown = true
    for (const name of names.values.filter(Boolean).slice(0, exchangesMax)) {
      const answer = await this.#ask('addresses', name)
      if (answer.kind === 'found') addresses.push(...answer.values)
      if (answer.kind === 'unknown') isKnown = false
    }
    const isMatch = this.#hosts.some((host) => hostsContain(term, readAddresses(addresses), host))
    return !isMatch && !isKnown ? 'undecided' : matched(term, isMatch)
  }

  async #ask(type: keyof SpfNames, name: string): Promise<Answer> {
    this.#queries += 1
    const answer: Answer =
      this.#queries > queriesMax
        ? { kind: 'unknown', message: `more than ${queriesMax} queries` }
        : await this.#dns[type](name)
    if (answer.kind === 'none') this.#voids.add(name)
    if (answer.kind === 'unknown') this.#fault ??= { kind: 'unanswered', name, message: answer.message }
    return answer
  }
}

function matched({ qualifier }: SpfTerm, isMatch: boolean): Outcome {
  if (!isMatch) return 'none'
  return qualifier === '+' ? 'pass' : 'other'
}
