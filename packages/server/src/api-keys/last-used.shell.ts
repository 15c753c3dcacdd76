import { byAccount } from '../ground/by-account.ts'
import type { Database } from '../platform/db/database.ts'
import { updateLastUsed } from './api-keys.sql.ts'

/** When keys were last used, held in memory and written in batches: one statement of an account for many requests. */
export class LastUsed {
  readonly #db: Database
  #used = new Map<string, { accountId: string; keyId: string; at: Date }>()

  constructor(db: Database) {
    this.#db = db.relaxed()
  }

  note(accountId: string, keyId: string, at: Date): void {
    const name = `${accountId} ${keyId}`
    const known = this.#used.get(name)
    if (known === undefined) this.#used.set(name, { accountId, keyId, at })
    else known.at = at
  }

  async flush(): Promise<void> {
    if (this.#used.size === 0) return
    const used = [...this.#used.values()].sort((a, b) => (a.keyId < b.keyId ? -1 : 1))
    this.#used = new Map()
    for (const [accountId, own] of byAccount(used)) await updateLastUsed(this.#db, accountId, own)
  }
}
