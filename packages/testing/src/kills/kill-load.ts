import type { ImapDouble } from '../mail/imap-double.server.ts'
import type { SmtpDouble } from '../mail/smtp-double.server.ts'
import { pause } from './product-caller.ts'
import { replyTo } from './reply.ts'

/** The calls that the API answered with a 2xx. */
export interface Acknowledged {
  /** Leads that were added, by address. */
  leads: Set<string>
  suppressions: Set<string>
  /** Leads whose reply was put into the mailbox. */
  replies: Set<string>
}

export interface LoadTarget {
  /** The address of an API node. It is read before each call, since nodes restart. */
  url(): string
  key: string
  campaignId: string
  sender: string
  smtp: SmtpDouble
  imap: ImapDouble
}

export interface Load {
  acknowledged: Acknowledged
  stop(): Promise<void>
}

const leadsPerCall = 10
const pauseMs = 40
const tryPauseMs = 50
const callTimeoutMs = 15_000
/** One in this many leads replies to its first message. */
const replyEvery = 5

/**
 * Adds leads and suppressions and sends replies of leads until it is stopped. Each call is repeated with the same idempotency key
 * until it succeeds.
 */
export function startLoad(target: LoadTarget): Load {
  const acknowledged: Acknowledged = { leads: new Set(), suppressions: new Set(), replies: new Set() }
  let stopped = false
  const calls = (async () => {
    for (let round = 0; !stopped; round++) {
      const leads = Array.from({ length: leadsPerCall }, (_, index) => `p${round}-${index}@r${index}.test`)
      const added = await insist(target, `/v2/campaigns/${target.campaignId}/leads`, `leads-${round}`, {
        leads: leads.map((email) => ({ email, firstName: 'Ada' })),
      })
      if (added) for (const email of leads) acknowledged.leads.add(email)
      const suppressed = `gone${round}@elsewhere.test`
      if (await insist(target, '/v2/suppressions', `gone-${round}`, { email: suppressed }))
        acknowledged.suppressions.add(suppressed)
      await pause(pauseMs)
    }
  })()
  const answers = answerMail(target, acknowledged, () => stopped)
  return {
    acknowledged,
    async stop() {
      stopped = true
      await Promise.all([calls, answers])
    },
  }
}

/** Repeats a POST with one idempotency key until it gets a 2xx. Throws on a response that a retry can't fix. */
async function insist(target: LoadTarget, path: string, key: string, body: unknown): Promise<boolean> {
  const giveUpMs = performance.now() + 120_000
  while (performance.now() < giveUpMs) {
    try {
      const answer = await fetch(target.url() + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${target.key}`, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(callTimeoutMs),
      })
      const text = await answer.text()
      if (answer.ok) return true
      if (answer.status < 500 && answer.status !== 409 && answer.status !== 429) {
        throw new Refused(`${path}: ${answer.status} ${text}`)
      }
    } catch (error) {
      if (error instanceof Refused) throw error
    }
    await pause(tryPauseMs)
  }
  return false
}

class Refused extends Error {}

async function answerMail(target: LoadTarget, acknowledged: Acknowledged, stopped: () => boolean): Promise<void> {
  let seen = 0
  while (!stopped()) {
    for (; seen < target.smtp.accepted.length; seen++) {
      const mail = target.smtp.accepted[seen]
      const [to = ''] = mail?.to ?? []
      if (!mail?.messageId || mail.from !== target.sender || seen % replyEvery !== 0 || acknowledged.replies.has(to))
        continue
      target.imap.deliver(target.sender, replyTo(to, target.sender, mail.messageId))
      acknowledged.replies.add(to)
    }
    await pause(pauseMs)
  }
}
