import type { AuditActor } from '@overture/contract/team/audit.ts'
import type { Database, Executor, Transaction, TransactionOptions } from '../db/database.ts'

/** What nobody asked for at that moment. */
export const system: AuditActor = { type: 'system', id: null, name: null }

/** Somebody who is written to: known by the lead that they are in a campaign, never by name. */
export function recipient(leadId: string | null): AuditActor {
  return { type: 'recipient', id: leadId, name: null }
}

const actors = new WeakMap<Executor, AuditActor>()

/** Says whose request a transaction carries out: what it appends to the log names them. */
export function actAs(tx: Executor, actor: AuditActor): void {
  actors.set(tx, actor)
}

export function actorOf(tx: Executor): AuditActor {
  return actors.get(tx) ?? system
}

/** The database as somebody uses it: each of its transactions is theirs. */
export function actingAs(db: Database, actor: AuditActor): Database {
  return {
    query: (...statement) => db.query(...statement),
    execute: (...statement) => db.execute(...statement),
    transaction: <Result>(run: (tx: Transaction) => Promise<Result>, options?: TransactionOptions) =>
      db.transaction((tx) => {
        actAs(tx, actor)
        return run(tx)
      }, options),
    listen: (channel, callback) => db.listen(channel, callback),
    within: (accountId) => actingAs(db.within(accountId), actor),
    beyondWall: () => actingAs(db.beyondWall(), actor),
    relaxed: () => actingAs(db.relaxed(), actor),
  }
}
