import type { ArrivedMessage, SimulatedMailboxes } from '../delivery/memory/simulated.ts'
import type { App } from '../platform/app.ts'
import { newId } from '../platform/ids.ts'
import type { NewJob } from '../platform/jobs/job.ts'
import type { Tenant } from '../platform/tenant.ts'
import { countDelivered, insertArrived } from './mailbox.sql.ts'
import type { StrideJobs } from './stride-jobs.shell.ts'
import { acceptedAnswer, tagsOf, reactionKind, reactionsOf } from './prospect.ts'

/** The mailboxes of simulated people for one stride: what reaches them is written in batches, what they do is known at once. */
export class StrideMailboxes implements SimulatedMailboxes {
  readonly #app: App
  readonly #tenant: Tenant
  /** How many messages reached leads who react. */
  readonly #delivered = new Map<string, number>()
  /** Of these, how many the database does not know yet. */
  readonly #unstored = new Map<string, number>()
  readonly #ids = new Map<string, string>()
  readonly #reactions: NewJob[] = []
  readonly #jobs: StrideJobs

  constructor(app: App, tenant: Tenant, jobs: StrideJobs) {
    this.#app = app
    this.#tenant = tenant
    this.#jobs = jobs
  }

  /** When the first of those acts whose acts are no jobs yet; Infinity: nobody. */
  get nextReactionMs(): number {
    return this.#reactions.reduce((first, { runAt }) => Math.min(first, runAt.getTime()), Infinity)
  }

  async expect(leads: readonly { id: string; email: string }[]): Promise<void> {
    await this.#count(leads.flatMap(({ id, email }) => (tagsOf(email).length > 0 ? [id] : [])))
  }

  /** Others have put messages into mailboxes. */
  async recount(): Promise<void> {
    await this.#count([...this.#delivered.keys()])
  }

  accept({ messageId, leadId, to, at }: Parameters<SimulatedMailboxes['accept']>[0]): string {
    const id = newId('msg')
    this.#ids.set(messageId, id)
    if (tagsOf(to).length === 0) return acceptedAnswer(id)
    const ordinal = (this.#delivered.get(leadId) ?? 0) + 1
    this.#delivered.set(leadId, ordinal)
    this.#unstored.set(leadId, (this.#unstored.get(leadId) ?? 0) + 1)
    for (const { act, delayMs } of reactionsOf(to, ordinal)) {
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

  async store(messages: readonly ArrivedMessage[]): Promise<void> {
    const { db } = this.#app
    const rows = messages.map((message) => ({ ...message, id: this.#ids.get(message.messageId) ?? newId('msg') }))
    await insertArrived(db, this.#tenant, rows)
    this.#unstored.clear()
    this.#ids.clear()
    await this.#jobs.add(this.#reactions.splice(0))
  }

  async #count(leadIds: readonly string[]): Promise<void> {
    if (leadIds.length === 0) return
    for (const id of leadIds) this.#delivered.set(id, this.#unstored.get(id) ?? 0)
    for (const { leadId, count } of await countDelivered(this.#app.db, this.#tenant, leadIds))
      this.#delivered.set(leadId, count + (this.#unstored.get(leadId) ?? 0))
  }
}
