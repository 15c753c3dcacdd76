import { z } from 'zod'
import { setInterest } from '../campaigns/index.ts'
import type { JobContext, JobHandler } from '../platform/jobs/job.ts'
import { appendHits } from '../tracking/index.ts'
import { answer } from './answer.commands.ts'
import { applyMailHits, person, type MailHit } from './mail-hits.shell.ts'
import { findUnsubscribeUrl } from './mail-links.ts'
import { findAnswerable, type AnswerableRow } from './mailbox.sql.ts'
import { isHit, prospectActs, reactionKind, type HitAct, type ProspectAct } from './prospect.ts'
import type { World } from './virtual-world.ts'

const reactPayload = z.object({ mailboxId: z.string(), act: z.enum(prospectActs), answerId: z.string() })

/** The hit in a reaction's payload (open, scan or click), or null for other acts. */
export function parseMailHit(payload: Record<string, unknown>): Pick<MailHit, 'mailboxId' | 'act'> | null {
  const { mailboxId, act } = reactPayload.parse(payload)
  return isHit(act) ? { mailboxId, act } : null
}

/** Runs the act of a simulated person. It uses only the database of the given world. */
export function reactionJob(world: World): JobHandler {
  return {
    kind: reactionKind,
    maxAttempts: 5,
    rowsOnly: true,
    async run(context, payload) {
      const { mailboxId, act, answerId } = reactPayload.parse(payload)
      const { app, tenant, now } = context
      if (isHit(act))
        return app.db.transaction(async (tx) => {
          await appendHits(tx, tenant, await applyMailHits(world.pages, tx, tenant, [{ mailboxId, act, at: now }]))
        })
      const mail = await findAnswerable(app.db, tenant, mailboxId)
      if (mail) await react(world, context, { mail, act, answerId })
    },
  }
}

interface ProspectReaction {
  mail: AnswerableRow
  act: Exclude<ProspectAct, HitAct>
  answerId: string
}

async function react(tools: World, context: JobContext, { mail, act, answerId }: ProspectReaction): Promise<void> {
  const { app, tenant, now } = context
  const answers = { mail, answerId, text: null, now }
  switch (act) {
    case 'reply':
      return answer(app, tools.receive, tenant, { ...answers, kind: 'reply' })
    case 'interested':
      await answer(app, tools.receive, tenant, { ...answers, kind: 'interested' })
      return markInterested(context, mail)
    case 'ooo':
      return answer(app, tools.receive, tenant, { ...answers, kind: 'auto_reply' })
    case 'bounce':
      return answer(app, tools.receive, tenant, { ...answers, kind: 'bounce' })
    case 'softbounce':
      return answer(app, tools.receive, tenant, { ...answers, kind: 'soft_bounce' })
    case 'quota':
    case 'senderblocked':
      return answer(app, tools.receive, tenant, { ...answers, kind: act === 'quota' ? 'quota' : 'sender_blocked' })
    case 'unsubscribe': {
      const url = findUnsubscribeUrl(mail.raw)
      if (url !== null) await tools.pages.unsubscribe(tenant, { url, ...person(mail.address), now })
      return
    }
    case 'book': {
      const { campaignId, leadId, address } = mail
      if (campaignId !== null && leadId !== null) await tools.pages.book(tenant, { campaignId, leadId, address, now })
      return
    }
  }
}

// Marks the prospect as interested, however the text was classified: the tag decides (docs/contract.md, "Test environment").
async function markInterested({ app, tenant, now }: JobContext, { campaignId, leadId }: AnswerableRow): Promise<void> {
  if (campaignId === null || leadId === null) return
  const mark = { campaignId, leadId, interest: 'interested', source: 'machine', now } as const
  await app.db.transaction((tx) => setInterest(tx, tenant, mark))
}
