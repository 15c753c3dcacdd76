import { hash, timingSafeEqual } from 'node:crypto'
import { defaultLimits } from '@overture/contract/accounts/account.ts'
import { byAccount } from '@overture/ground/by-account.ts'
import type { App } from '../platform/app.ts'
import type { Admission, Caller, Verdict } from '../platform/http/admission.ts'
import { findKeyByDigestAcrossAccounts, type KeyAccess } from './api-keys.sql.ts'
import { accountWindowId, findWindow, upsertWindows, type CountedWindow } from './api-nodes.sql.ts'
import { accessChannel, readBearerKey } from './api-key.ts'
import { LastUsed } from './last-used.shell.ts'
import { QuotaReserve } from './quota-reserve.shell.ts'
import { minuteMs } from '@overture/ground/time/spans.ts'
import { hitBoth, retryAfterSeconds, RollingWindow, type AccountRates } from './rolling-window.ts'
import { UnknownKeys } from './unknown-keys.ts'

// A revoked key stops working when the database sends a notification. If that is lost, it stops within a second, including the
// time of the query.
const keyFreshMs = 700
const cachedKeysMax = 20_000
const housekeepingMs = 250
const lastUsedEveryMs = 2_000
const windowsPerStatement = 500
/** Thousands of accounts may have sent requests within a minute. */
const accountsHandedOverAtOnce = 8

interface CachedKey {
  caller: Caller
  digest: Buffer
  expiresAtMs: number
  apiAccessEnabled: boolean
  rates: AccountRates
  monthlyRequests: number
  loadedAtMs: number
  windows: { key: RollingWindow; account: RollingWindow }
}

const unknownKey: Verdict = { outcome: 'unknown_key' }

/**
 * Admission for one API node: keys are cached for less than a second, windows are in memory, and quota is reserved in blocks.
 * Windows are loaded from the database, where the last node stored them when it stopped.
 */
export function createMemoryAdmission(app: App): Admission {
  return new MemoryAdmission(app)
}

class MemoryAdmission implements Admission {
  readonly #app: App
  readonly #quota: QuotaReserve
  readonly #lastUsed: LastUsed
  readonly #keys = new Map<string, CachedKey>()
  readonly #loading = new Map<string, Promise<CachedKey | null>>()
  readonly #windows = new Map<string, RollingWindow>()
  readonly #broughtAtMs = new WeakMap<RollingWindow, number>()
  readonly #unknown = new UnknownKeys()
  readonly #timer: NodeJS.Timeout
  #housekeeping: Promise<void> | null = null
  #flushedAtMs = 0
  /** Counts events after which cached keys are read again. A key whose query began before such an event is used once and not cached. */
  #turn = 0
  readonly #unlisten: () => void

  constructor(app: App) {
    this.#app = app
    this.#quota = new QuotaReserve(app.db)
    this.#lastUsed = new LastUsed(app.db)
    this.#timer = setInterval(() => {
      this.#housekeeping ??= this.#keepHouse().finally(() => (this.#housekeeping = null))
    }, housekeepingMs)
    this.#timer.unref()
    this.#unlisten = app.db.listen(accessChannel, () => {
      this.#turn++
      this.#keys.clear()
    })
  }

  admit(authorization: string | undefined): Verdict | Promise<Verdict> {
    const key = readBearerKey(authorization)
    if (key === null) return unknownKey
    const digest = hash('sha256', key, 'hex')
    const now = this.#app.clock.now()
    const cached = this.#keys.get(digest)
    if (cached !== undefined && now.getTime() - cached.loadedAtMs < keyFreshMs) return this.#judge(cached, now)
    if (this.#unknown.has(digest, now.getTime())) return unknownKey
    return this.#load(digest).then((loaded) =>
      loaded === null ? unknownKey : this.#judge(loaded, this.#app.clock.now()),
    )
  }

  usage(accountId: string): Promise<number> {
    return this.#quota.usage(accountId, this.#app.clock.now())
  }

  forget(accountId: string): void {
    this.#quota.forget(accountId)
    this.#turn++
    for (const [digest, key] of this.#keys) if (key.caller.tenant.accountId === accountId) this.#keys.delete(digest)
  }

  flush(): Promise<void> {
    return this.#lastUsed.flush()
  }

  async stop(): Promise<void> {
    this.#unlisten()
    await this.#housekeeping
    await this.#quota.returnAll()
    await this.flush()
    await this.#handOver()
    clearInterval(this.#timer)
  }

  #judge(key: CachedKey, now: Date): Verdict | Promise<Verdict> {
    const nowMs = now.getTime()
    if (key.expiresAtMs <= nowMs) return unknownKey
    const { caller } = key
    const limit = key.rates.requestsPerMinute
    this.#lastUsed.note(caller.tenant.accountId, caller.id, now)
    const hit = key.apiAccessEnabled ? hitBoth(key.windows, nowMs, key.rates) : key.windows.key.hit(nowMs, key.rates)
    if (!key.apiAccessEnabled) return { outcome: 'access_disabled', caller, limit, remaining: hit.remaining }
    if (!hit.admitted) {
      return { outcome: 'limited', caller, limit, remaining: 0, retryAfterSeconds: retryAfterSeconds(hit.waitMs) }
    }
    const taken = this.#quota.take(caller.tenant.accountId, key.monthlyRequests, now)
    if (typeof taken === 'boolean') return quotaVerdict(taken, key, hit.remaining)
    return taken.then((granted) => quotaVerdict(granted, key, hit.remaining))
  }

  #load(digest: string): Promise<CachedKey | null> {
    const running = this.#loading.get(digest)
    if (running !== undefined) return running
    const loading = this.#read(digest).finally(() => this.#loading.delete(digest))
    this.#loading.set(digest, loading)
    return loading
  }

  async #read(digest: string): Promise<CachedKey | null> {
    const loadedAtMs = this.#app.clock.now().getTime()
    const turn = this.#turn
    const bytes = Buffer.from(digest, 'hex')
    const access = await findKeyByDigestAcrossAccounts(this.#app.db, bytes)
    if (access === null || !timingSafeEqual(access.digest, bytes)) {
      this.#keys.delete(digest)
      this.#unknown.add(digest, loadedAtMs)
      return null
    }
    const { accountId, keyId } = access
    const windows = {
      key: await this.#windowOf(accountId, keyId),
      account: await this.#windowOf(accountId, accountWindowId),
    }
    const key = toCachedKey(access, loadedAtMs, windows)
    if (this.#keys.size >= cachedKeysMax) this.#keys.clear()
    if (turn === this.#turn) this.#keys.set(digest, key)
    return key
  }

  async #windowOf(accountId: string, keyId: string): Promise<RollingWindow> {
    const name = `${accountId} ${keyId}`
    const known = this.#windows.get(name)
    if (known !== undefined) return known
    const times = await findWindow(this.#app.db, accountId, keyId)
    // Another key of the account may have loaded this window meanwhile and counted in it.
    const brought = this.#windows.get(name)
    if (brought !== undefined) return brought
    const window = RollingWindow.restore(times)
    this.#windows.set(name, window)
    this.#broughtAtMs.set(window, this.#app.clock.now().getTime())
    return window
  }

  async #handOver(): Promise<void> {
    const sinceMs = this.#app.clock.now().getTime() - minuteMs
    const counted = [...this.#windows]
      .filter(([, window]) => window.lastMs > sinceMs)
      .map(([name, window]) => {
        const [accountId = '', keyId = ''] = name.split(' ')
        return { accountId, keyId, times: window.times() }
      })
    const accounts = [...byAccount(counted)]
    for (let from = 0; from < accounts.length; from += accountsHandedOverAtOnce) {
      const next = accounts.slice(from, from + accountsHandedOverAtOnce)
      await Promise.all(next.map(([accountId, own]) => this.#handOverOf(accountId, own)))
    }
  }

  async #handOverOf(accountId: string, windows: readonly CountedWindow[]): Promise<void> {
    for (let from = 0; from < windows.length; from += windowsPerStatement)
      await upsertWindows(this.#app.db, accountId, windows.slice(from, from + windowsPerStatement))
  }

  async #keepHouse(): Promise<void> {
    const now = this.#app.clock.now()
    const nowMs = now.getTime()
    try {
      await this.#quota.returnIdle(now)
      if (nowMs - this.#flushedAtMs >= lastUsedEveryMs) {
        this.#flushedAtMs = nowMs
        await this.#lastUsed.flushDue()
      }
    } catch (error) {
      this.#app.log.warn({ event: 'admission.housekeeping_failed', name: (error as Error).name })
    }
    for (const [digest, key] of this.#keys) if (nowMs - key.loadedAtMs > minuteMs) this.#keys.delete(digest)
    // A window that no cached key holds and that is older than a minute is empty. A window that was just loaded is held soon.
    const held = new Set([...this.#keys.values()].flatMap(({ windows }) => [windows.key, windows.account]))
    for (const [name, window] of this.#windows) {
      const lastMs = Math.max(window.lastMs, this.#broughtAtMs.get(window) ?? 0)
      if (nowMs - lastMs > minuteMs && !held.has(window)) this.#windows.delete(name)
    }
  }
}

function quotaVerdict(taken: boolean, key: CachedKey, remaining: number): Verdict {
  const { caller, rates } = key
  return { outcome: taken ? 'admitted' : 'over_quota', caller, limit: rates.requestsPerMinute, remaining }
}

function toCachedKey(access: KeyAccess, loadedAtMs: number, windows: CachedKey['windows']): CachedKey {
  return {
    caller: {
      tenant: { accountId: access.accountId, environment: access.environment },
      id: access.keyId,
      kind: 'key',
      name: access.keyName,
      userId: access.userId,
      scopes: access.scopes,
      role: access.role,
    },
    digest: access.digest,
    expiresAtMs: access.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    apiAccessEnabled: access.apiAccessEnabled,
    rates: {
      requestsPerMinute: access.requestsPerMinute ?? defaultLimits.requestsPerMinute,
      burstPerSecond: access.burstPerSecond ?? defaultLimits.burstPerSecond,
      maxApiKeys: access.maxApiKeys ?? defaultLimits.maxApiKeys,
    },
    monthlyRequests: access.monthlyRequests ?? defaultLimits.monthlyRequests,
    loadedAtMs,
    windows,
  }
}
