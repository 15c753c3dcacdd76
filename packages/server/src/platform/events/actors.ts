import type { AuditActor } from '@overture/contract/team/audit.ts'
import type { Database, Executor, Transaction, TransactionOptions } from '../db/database.ts'

/** The actor of changes that no request caused. */
export const system: AuditActor = { type: 'system', id: null, name: null }

/** The actor for a recipient, identified only by the lead of a campaign and never by name. */
export function recipient(leadId: string | null): AuditActor {
  return { type: 'recipient', id: leadId, name: null }
}

const actors = new WeakMap<Executor, AuditActor>()

/** Sets the actor of a transaction: the events that it appends name this actor. */
export function actAs(tx: Executor, actor: AuditActor): void {
  actors.set(tx, actor)
}

export function transactionActor(tx: Executor): AuditActor {
  return actors.get(tx) ?? system
}

/** The database for an actor: all of its transactions have this actor. */
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
