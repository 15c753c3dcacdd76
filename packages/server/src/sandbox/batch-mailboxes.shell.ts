import type { ArrivedMessage, SimulatedMailboxes } from '../delivery/memory/simulated.ts'
import type { NewEvent } from '../platform/events/events.sql.ts'
import { newId } from '../platform/ids.ts'
import type { NewJob } from '../platform/jobs/job.ts'
import type { Tenant } from '../platform/tenant.ts'
import { applyMailHits, type MailHit } from './mail-hits.shell.ts'
import { countDelivered, insertArrived } from './mailbox.sql.ts'
import { parseMailHit } from './reaction.jobs.ts'
import type { BatchJobs } from './batch-jobs.shell.ts'
import { acceptedAnswer, parseTags, reactionKind, chooseReactions } from './prospect.ts'
import type { World } from './virtual-world.ts'

const hitsMax = 100

/** The mailboxes of simulated people in one batch of instants. Arriving messages are written together; the reactions are known at once. */
export class BatchMailboxes implements SimulatedMailboxes {
  readonly #world: World
  readonly #tenant: Tenant
  /** The number of messages that reached each lead that reacts. */
  readonly #delivered = new Map<string, number>()
  /** How many of these are not stored yet. */
  readonly #unstored = new Map<string, number>()
  readonly #ids = new Map<string, string>()
  readonly #reactions: NewJob[] = []
  readonly #jobs: BatchJobs
  /** Hits are applied when messages are stored: they are counted, but change no later message. */
  readonly #hits: MailHit[] = []

  constructor(world: World, tenant: Tenant, jobs: BatchJobs) {
    this.#world = world
    this.#tenant = tenant
    this.#jobs = jobs
  }

  /** The time of the first act that is not stored as a job yet. Infinity: there is none. */
  get nextReactionMs(): number {
    return this.#firstReaction()?.runAt.getTime() ?? Infinity
  }

  async expect(leads: readonly { id: string; email: string }[]): Promise<void> {
    await this.#count(leads.flatMap(({ id, email }) => (parseTags(email).length > 0 ? [id] : [])))
  }

  /** Counts again after other code has put messages into mailboxes. */
  async recount(): Promise<void> {
    await this.#count([...this.#delivered.keys()])
  }

  accept({ messageId, leadId, to, at }: Parameters<SimulatedMailboxes['accept']>[0]): string {
    const id = newId('msg')
    this.#ids.set(messageId, id)
    if (parseTags(to).length === 0) return acceptedAnswer(id)
    const ordinal = (this.#delivered.get(leadId) ?? 0) + 1
    this.#delivered.set(leadId, ordinal)
    this.#unstored.set(leadId, (this.#unstored.get(leadId) ?? 0) + 1)
    for (const { act, delayMs } of chooseReactions(to, ordinal)) {
      this.#reactions.push({
        kind: reactionKind,
        tenant: this.#tenant,
        payload: { mailboxId: id, act, answerId: newId('msg') },
        runAt: new Date(at.getTime() + delayMs),
        key: `${id}:${act}`,
      })
    }
    return acceptedAnswer(id)
  }

  async store(messages: readonly ArrivedMessage[]): Promise<NewEvent[]> {
    const { db } = this.#world.app
    if (messages.length > 0) {
      const rows = messages.map((message) => ({ ...message, id: this.#ids.get(message.messageId) ?? newId('msg') }))
      await insertArrived(db, this.#tenant, rows)
      this.#unstored.clear()
      this.#ids.clear()
    }
    await this.#jobs.add(this.#reactions.splice(0))
    const hits = this.#hits.splice(0)
    return db.transaction((tx) => applyMailHits(this.#world.pages, tx, this.#tenant, hits))
  }

  /** Notes a hit if it is the first of everything due. Returns false if something else is first. */
  async takeMailHit(now: Date): Promise<boolean> {
    const [job, reaction] = [this.#jobs.next, this.#firstReaction()]
    const fromJobs = job !== undefined && (reaction === undefined || job.runAt <= reaction.runAt)
    const first = fromJobs ? job : reaction
    const hit = first?.kind === reactionKind ? parseMailHit(first.payload ?? {}) : null
    if (hit === null) return false
    if (fromJobs) await this.#jobs.take()
    else this.#reactions.splice(this.#reactions.indexOf(reaction!), 1)
    this.#hits.push({ ...hit, at: now })
    return true
  }

  /** Whether as many hits are noted as are applied at once. */
  get isFull(): boolean {
    return this.#hits.length >= hitsMax
  }

  #firstReaction(): NewJob | undefined {
    return this.#reactions.reduce<NewJob | undefined>(
      (first, one) => (first === undefined || one.runAt < first.runAt ? one : first),
      undefined,
    )
  }

  async #count(leadIds: readonly string[]): Promise<void> {
    if (leadIds.length === 0) return
    for (const id of leadIds) this.#delivered.set(id, this.#unstored.get(id) ?? 0)
    for (const { leadId, count } of await countDelivered(this.#world.app.db, this.#tenant, leadIds))
      this.#delivered.set(leadId, count + (this.#unstored.get(leadId) ?? 0))
  }
}
