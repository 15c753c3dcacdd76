import { minuteMs } from '@overture/ground/time/spans.ts'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { domainToASCII } from 'node:url'
import { KeyedSemaphore } from '@overture/ground/keyed-semaphore.ts'
import { monotonicMs, sleep } from '../clock.ts'
import { listCandidates, readHosts, readSearchList } from './hosts-file.ts'

/** `none` means that the name has no address. `unanswered` means that no name server replied, so the name may exist. */
export type NameAnswer =
  | { kind: 'found'; addresses: readonly string[] }
  | { kind: 'none' }
  | { kind: 'unanswered'; message: string }

export interface NameAsk {
  /** The account that gave the host; it bounds the account's parallel lookups. Null for the operator. */
  accountId: string | null
  timeoutMs: number
}

/** Resolves host names to addresses. */
export interface Names {
  listAddresses(host: string, ask: NameAsk): Promise<NameAnswer>
}

interface NamesOptions {
  /** Name servers to query (`host` or `host:port`); the system's if empty. */
  servers: readonly string[]
  hostsFile?: string
  resolvFile?: string
  /** A clock that only increases. */
  nowMs?: () => number
}

const queryTimeoutMs = 2_000
const tries = 2
const lookupMsMax = 6_000
/** How long to wait for the second address family after the first has arrived. */
const slowFamilyMs = 250
const keptMs = { foundMin: 30_000, foundMax: minuteMs, none: 30_000, unanswered: 10_000 }
const namesKeptMax = 10_000
/** Parallel lookups of one account; further ones wait. */
export const lookupsMax = 8
const waitingMax = 200
const addressesMax = 16
const searchedMax = 6
const fileKeptMs = 5_000
const unhelpful = 'No name server answered in time.'
const tooMany = 'Too many names are being looked up for this account.'

/**
 * Resolves names with its own DNS client (c-ares) instead of Node's thread pool, where two names with dead servers would block
 * all lookups. The hosts file and `localhost` come first, as usual. Results are cached for a while, failures too.
 */
export function createNames(options: NamesOptions): Names {
  const nowMs = options.nowMs ?? monotonicMs
  const windows = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
  const hosts = fileReader(
    options.hostsFile ?? (process.platform === 'win32' ? windows : '/etc/hosts'),
    readHosts,
    nowMs,
  )
  const searchList = fileReader(options.resolvFile ?? '/etc/resolv.conf', readSearchList, nowMs)
  const lookups = new Lookups({ servers: options.servers, searchList, nowMs })
  return {
    async listAddresses(host, { accountId, timeoutMs }) {
      const name = normalizeName(host)
      if (name === null) return { kind: 'none' }
      const fixed = (await hosts()).get(name) ?? loopbackAddresses(name)
      if (fixed !== null) return { kind: 'found', addresses: fixed }
      const over = new AbortController()
      const late = sleep(timeoutMs, over.signal).then((): NameAnswer => ({ kind: 'unanswered', message: unhelpful }))
      try {
        return await Promise.race([lookups.answerTo(name, accountId, over.signal), late])
      } finally {
        over.abort()
      }
    },
  }
}

interface LookupTools {
  servers: readonly string[]
  searchList: () => Promise<readonly string[]>
  nowMs: () => number
}

/** Sends one query per name at a time and caches the result. */
class Lookups {
  readonly #tools: LookupTools
  // An account with slow names delays only itself.
  readonly #running = new KeyedSemaphore({ permits: () => lookupsMax })
  readonly #kept = new Map<string, { answer: NameAnswer; untilMs: number }>()
  readonly #underWay = new Map<string, Promise<NameAnswer>>()

  constructor(tools: LookupTools) {
    this.#tools = tools
  }

  async answerTo(name: string, accountId: string | null, signal: AbortSignal): Promise<NameAnswer> {
    return this.#known(name) ?? this.#lookUp(name, accountId, signal)
  }

  #known(name: string): NameAnswer | Promise<NameAnswer> | undefined {
    const entry = this.#kept.get(name)
    if (entry !== undefined && entry.untilMs > this.#tools.nowMs()) return entry.answer
    return this.#underWay.get(name)
  }

  async #lookUp(name: string, accountId: string | null, signal: AbortSignal): Promise<NameAnswer> {
    const release = await this.#running.tryAcquire(accountId ?? '', { signal: signal, waitingMax })
    if (release === null) return { kind: 'unanswered', message: tooMany }
    try {
      // Another lookup may have resolved the name while this one waited.
      return await (this.#known(name) ?? this.#askOnce(name))
    } finally {
      release()
    }
  }

  #askOnce(name: string): Promise<NameAnswer> {
    const asking = this.#ask(name).finally(() => this.#underWay.delete(name))
    this.#underWay.set(name, asking)
    return asking
  }

  async #ask(name: string): Promise<NameAnswer> {
    const { servers, searchList, nowMs } = this.#tools
    const domains = servers.length > 0 ? [] : await searchList()
    const { answer, ttlMs } = await askInTurn(listCandidates(name, domains).slice(0, searchedMax), servers)
    this.#kept.delete(name)
    this.#kept.set(name, { answer, untilMs: nowMs() + ttlMs })
    if (this.#kept.size > namesKeptMax) this.#kept.delete(this.#kept.keys().next().value ?? '')
    return answer
  }
}

/** The name as DNS writes it; null if it is not a valid name. A name that ends in a number is an unusual spelling of an address. */
function normalizeName(host: string): string | null {
  const name = domainToASCII(host.replace(/\.$/, '')).toLowerCase()
  const labels = name.split('.')
  const isName = name.length <= 253 && labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))
  return isName && !/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '') ? name : null
}

function loopbackAddresses(name: string): readonly string[] | null {
  return name === 'localhost' || name.endsWith('.localhost') ? ['127.0.0.1', '::1'] : null
}

/** Reads a small file at most every few seconds. A missing file counts as empty. */
function fileReader<Value>(path: string, read: (text: string) => Value, nowMs: () => number): () => Promise<Value> {
  let last: { value: Promise<Value>; untilMs: number } | null = null
  return () => {
    if (last === null || last.untilMs <= nowMs()) {
      const value = readFile(path, 'utf8').then(read, () => read(''))
      last = { value, untilMs: nowMs() + fileKeptMs }
    }
    return last.value
  }
}

interface TimedAnswer {
  answer: NameAnswer
  /** How long the answer is cached. */
  ttlMs: number
}

async function askInTurn(names: readonly string[], servers: readonly string[]): Promise<TimedAnswer> {
  const endMs = monotonicMs() + lookupMsMax
  let answered: TimedAnswer = { answer: { kind: 'none' }, ttlMs: keptMs.none }
  for (const name of names) {
    const leftMs = endMs - monotonicMs()
    if (leftMs <= 0) break
    answered = await askFor(name, servers, leftMs)
    if (answered.answer.kind !== 'none') break
  }
  return answered
}

/** Queries both address families at once. Each name has its own resolver, so that cancelling it drops only this name's queries. */
async function askFor(name: string, servers: readonly string[], leftMs: number): Promise<TimedAnswer> {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries })
  if (servers.length > 0) resolver.setServers(servers)
  const families = [
    resolveFamily(() => resolver.resolve4(name, { ttl: true })),
    resolveFamily(() => resolver.resolve6(name, { ttl: true })),
  ]
  const both = Promise.all(families)
  const over = new AbortController()
  const first = Promise.any(
    families.map(async (family) => (await family).kind === 'found' || Promise.reject(new Error())),
  )
  const firstAndALittle = first.then(
    () => sleep(slowFamilyMs, over.signal),
    () => both,
  )
  await Promise.race([both, firstAndALittle, sleep(leftMs, over.signal)])
  over.abort()
  resolver.cancel()
  return toTold(await both)
}

type Family =
  | { kind: 'found'; records: { address: string; ttl: number }[] }
  | { kind: 'none' }
  | { kind: 'unanswered'; code: string }

const absent = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

async function resolveFamily(run: () => Promise<{ address: string; ttl: number }[]>): Promise<Family> {
  try {
    const records = await run()
    return records.length === 0 ? { kind: 'none' } : { kind: 'found', records }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'EUNKNOWN'
    return absent.has(code) ? { kind: 'none' } : { kind: 'unanswered', code }
  }
}

function toTold(answers: readonly Family[]): TimedAnswer {
  const records = answers.flatMap((family) => (family.kind === 'found' ? family.records : []))
  if (records.length > 0) {
    const ttlMs = Math.min(...records.map((record) => record.ttl)) * 1_000
    return {
      answer: { kind: 'found', addresses: records.map((record) => record.address).slice(0, addressesMax) },
      ttlMs: Math.min(Math.max(ttlMs, keptMs.foundMin), keptMs.foundMax),
    }
  }
  if (answers.every((family) => family.kind === 'none')) return { answer: { kind: 'none' }, ttlMs: keptMs.none }
  return { answer: { kind: 'unanswered', message: unhelpful }, ttlMs: keptMs.unanswered }
}
