import type { ArrivedMessage, SimulatedMailboxes } from '../delivery/memory/simulated.ts'
import type { NewEvent } from '../platform/events/events.sql.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import { applyMailHits, type MailHit } from './mail-hits.shell.ts'
import { countDelivered, insertArrived } from './mailbox.sql.ts'
import { parseMailHit } from './reaction.jobs.ts'
import type { BatchJobs } from './batch-jobs.shell.ts'
import { acceptedAnswer, chooseReactions, parseTags, reactionKind } from './prospect.ts'
import type { World } from './virtual-world.ts'

const hitsMax = 100

/** The mailboxes of simulated people in one batch of instants. Arriving messages are written together; the reactions are known at once. */
export class BatchMailboxes implements SimulatedMailboxes {
  readonly #world: World
  readonly #tenant: Tenant
  readonly #jobs: BatchJobs
  /** The number of messages that reached each lead that reacts. */
  #delivered = new Map<string, number>()
  /** Hits are applied when messages are stored: they are counted, but change no later message. */
  readonly #hits: MailHit[] = []

  constructor(world: World, tenant: Tenant, jobs: BatchJobs) {
    this.#world = world
    this.#tenant = tenant
    this.#jobs = jobs
  }

  async expect(leads: readonly { id: string; email: string }[]): Promise<void> {
    const ids = leads.flatMap(({ id, email }) => (parseTags(email).length > 0 ? [id] : []))
    const rows = ids.length === 0 ? [] : await countDelivered(this.#world.app.db, this.#tenant, ids)
    this.#delivered = new Map(rows.map(({ leadId, count }) => [leadId, count]))
  }

  accept({ leadId, to, at }: Parameters<SimulatedMailboxes['accept']>[0]): { mailboxId: string; answer: string } {
    const mailboxId = newId('msg')
    if (parseTags(to).length > 0) {
      const ordinal = (this.#delivered.get(leadId) ?? 0) + 1
      this.#delivered.set(leadId, ordinal)
      this.#jobs.add(
        chooseReactions(to, ordinal).map(({ act, delayMs }) => ({
          kind: reactionKind,
          tenant: this.#tenant,
          payload: { mailboxId, act, answerId: newId('msg') },
          runAt: new Date(at.getTime() + delayMs),
          key: `${mailboxId}:${act}`,
        })),
      )
    }
    return { mailboxId, answer: acceptedAnswer(mailboxId) }
  }

  async store(messages: readonly ArrivedMessage[]): Promise<NewEvent[]> {
    const { db } = this.#world.app
    if (messages.length > 0) await insertArrived(db, this.#tenant, messages)
    await this.#jobs.store()
    const hits = this.#hits.splice(0)
    return db.transaction((tx) => applyMailHits(this.#world.pages, tx, this.#tenant, hits))
  }

  /** Notes a hit if it is the next job. Returns false if something else is next. */
  async takeMailHit(now: Date): Promise<boolean> {
    const { next } = this.#jobs
    const hit = next?.kind === reactionKind ? parseMailHit(next.payload) : null
    if (hit === null) return false
    await this.#jobs.take()
    this.#hits.push({ ...hit, at: now })
    return true
  }

  /** Whether as many hits are noted as are applied at once. */
  get isFull(): boolean {
    return this.#hits.length >= hitsMax
  }
}
