import { z } from 'zod'
import { setInterest } from '../campaigns/index.ts'
import type { JobContext, JobHandler } from '../platform/jobs/job.ts'
import { answer } from './answer.commands.ts'
import { linksOf, unsubscribeUrlOf } from './mail-links.ts'
import { openMail } from './mailbox.queries.ts'
import { findAnswerable, type AnswerableRow } from './mailbox.sql.ts'
import { prospectActs, reactionKind, type ProspectAct } from './prospect.ts'
import type { World } from './virtual-world.ts'

const reactPayload = z.object({ mailboxId: z.string(), act: z.enum(prospectActs), answerId: z.string() })

/** A simulated person acts. Touches nothing but the database of the world that it is made for. `acted` hears what was done. */
export function reactionJob(world: World, acted?: (act: ProspectAct) => void): JobHandler {
  return {
    kind: reactionKind,
    maxAttempts: 5,
    async run(context, payload) {
      const { mailboxId, act, answerId } = reactPayload.parse(payload)
      const mail = await findAnswerable(context.app.db, context.tenant, mailboxId)
      if (mail) await react(world, context, { mail, act, answerId })
      acted?.(act)
    },
  }
}

interface ProspectReaction {
  mail: AnswerableRow
  act: ProspectAct
  answerId: string
}

async function react(tools: World, context: JobContext, { mail, act, answerId }: ProspectReaction): Promise<void> {
  const { app, tenant, now } = context
  const answers = { mail, answerId, text: null, now }
  switch (act) {
    case 'open':
      return visitAll(tools, context, { urls: (await readLinks(mail)).pixels, browser: person(mail.address) })
    case 'click': {
      const { pixels, clicks } = await readLinks(mail)
      return visitAll(tools, context, {
        urls: [...pixels.slice(0, 1), ...clicks.slice(0, 1)],
        browser: person(mail.address),
      })
    }
    case 'scan': {
      const { pixels, clicks } = await readLinks(mail)
      return visitAll(tools, context, { urls: [...pixels, ...clicks], browser: gateway })
    }
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
    case 'unsubscribe': {
      const url = unsubscribeUrlOf(mail.raw)
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

// Whatever the reader made of the words, this prospect is interested: the tag says so (docs/contract.md, "Test environment").
async function markInterested({ app, tenant, now }: JobContext, { campaignId, leadId }: AnswerableRow): Promise<void> {
  if (campaignId === null || leadId === null) return
  const mark = { campaignId, leadId, interest: 'interested', source: 'machine', now } as const
  await app.db.transaction((tx) => setInterest(tx, tenant, mark))
}

interface Browser {
  userAgent: string
  ip: string
}

const gateway: Browser = { userAgent: 'Mozilla/5.0 (compatible; MailGateway LinkScanner/2.1)', ip: '192.0.2.80' }

// Documentation addresses (RFC 5737): nobody has them.
function person(address: string): Browser {
  const host = 1 + ((address.length * 37) % 250)
  return {
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0',
    ip: `198.51.100.${host}`,
  }
}

async function readLinks(mail: AnswerableRow): Promise<ReturnType<typeof linksOf>> {
  const { html } = await openMail(mail.raw)
  return linksOf(html ?? '')
}

async function visitAll(
  { pages }: World,
  { tenant, now }: JobContext,
  { urls, browser }: { urls: readonly string[]; browser: Browser },
): Promise<void> {
  for (const url of urls) await pages.visit(tenant, { url, ...browser, now })
}
