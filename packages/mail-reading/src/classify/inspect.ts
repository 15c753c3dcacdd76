import { readAndClassify } from './classify.ts'
import type { InboundKind } from './classify.ts'
import type { Bounce } from '../reports/report.ts'
import type { SetAsideReason } from '../mime/mime-limits.ts'
import type { ReplyText } from '../replies/quote.ts'

/** The reader's result for one raw message. Source: docs/contract.md, "Inbox". */
export interface Inspection {
  kind: InboundKind
  bounces: Bounce[]
  reply: ReplyText | null
  headers: { from: string | null; to: string[]; subject: string; messageId: string | null; inReplyTo: string | null }
  /** The rule that decided. */
  rule: string
  awayUntil: string | null
  /** Why the message was not read, if it exceeds the reader's limits. */
  setAside: SetAsideReason | null
}

/** Never throws, whatever the bytes. */
export function inspectMessage(raw: Uint8Array): Inspection {
  const result = readAndClassify(raw)
  if (result.outcome === 'set_aside') {
    return {
      kind: 'other',
      bounces: [],
      reply: null,
      headers: { from: null, to: [], subject: '', messageId: null, inReplyTo: null },
      rule: 'set_aside',
      awayUntil: null,
      setAside: result.reason,
    }
  }
  const { mail, verdict } = result
  return {
    kind: verdict.kind,
    bounces: verdict.bounces,
    reply: verdict.reply,
    headers: {
      from: mail.from[0]?.address ?? null,
      to: mail.to.slice(0, 100).map((one) => one.address),
      subject: mail.subject,
      messageId: mail.messageId,
      inReplyTo: mail.inReplyTo[0] ?? null,
    },
    rule: verdict.rule,
    awayUntil: verdict.awayUntil,
    setAside: null,
  }
}
