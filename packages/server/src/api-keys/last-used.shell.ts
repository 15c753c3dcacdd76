import { byAccount } from '@overture/ground/by-account.ts'
import type { Database } from '../platform/db/database.ts'
import { updateLastUsed } from './api-keys.sql.ts'

/** The last use of a busy key is written at most once in this time. */
const writtenEveryMs = 15_000

interface UsedKey {
  accountId: string
  keyId: string
  at: Date
}

/** Collects last uses of keys in memory and writes them in batches: one statement per account for many requests. */
export class LastUsed {
  readonly #db: Database
  readonly #used = new Map<string, UsedKey>()
  /** The recently written last uses, by key. */
  readonly #writtenMs = new Map<string, number>()

  constructor(db: Database) {
    this.#db = db.relaxed()
  }

  note(accountId: string, keyId: string, at: Date): void {
    const name = `${accountId} ${keyId}`
    const known = this.#used.get(name)
    if (known === undefined) this.#used.set(name, { accountId, keyId, at })
    else known.at = at
  }

  /** Writes the first use at once, then new uses every 15 seconds. */
  async flushDue(): Promise<void> {
    await this.#write((name, { at }) => at.getTime() - (this.#writtenMs.get(name) ?? 0) >= writtenEveryMs)
  }

  async flush(): Promise<void> {
    await this.#write(() => true)
  }

  async #write(isDue: (name: string, key: UsedKey) => boolean): Promise<void> {
    const due = [...this.#used].filter(([name, key]) => isDue(name, key))
    for (const [name, { at }] of due) {
      this.#used.delete(name)
      this.#writtenMs.set(name, at.getTime())
    }
    const used = due.map(([, key]) => key).sort((a, b) => (a.keyId < b.keyId ? -1 : 1))
    for (const [accountId, own] of byAccount(used)) await updateLastUsed(this.#db, accountId, own)
    const oldestMs = Math.max(0, ...used.map(({ at }) => at.getTime())) - writtenEveryMs
    for (const [name, atMs] of this.#writtenMs) if (atMs < oldestMs) this.#writtenMs.delete(name)
  }
}
