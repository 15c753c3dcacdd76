import type { IgnoredMail } from '@overture/contract/sending-accounts/ignored-mail.ts'
import type { ReadMessage } from '@overture/mail-reading/reading/read-message.ts'

/** The part of a message in which header lines are searched. */
const headerBytesMax = 64 * 1024
/** The part of a text in which words are searched. */
const bodyCharactersMax = 200_000

export const ignoredRule = 'ignored_mail'

/** Kinds that another tool can't produce for our messages, or that must always have their consequences. */
const kept: ReadonlySet<ReadMessage['verdict']['kind']> = new Set(['bounce', 'complaint', 'unsubscribe'])

/**
 * Whether a mail belongs to another tool that uses the mailbox, by the rules of its sending account. Opt-outs, bounces and
 * complaints are never ignored. Source: docs/contract.md, "Inbox".
 */
export function isIgnored(rules: readonly IgnoredMail[], mail: ReadMessage, raw: Buffer): boolean {
  if (rules.length === 0 || kept.has(mail.verdict.kind) || mail.hasOurRef) return false
  const header = headerLines(raw)
  const body = [mail.text, mail.quotedText ?? '']
    .map((text) => text.slice(0, bodyCharactersMax).toLowerCase())
    .join('\n')
  const places = { header, subject: mail.subject.toLowerCase(), body }
  return rules.some((rule) => places[rule.in].includes(rule.contains.toLowerCase()))
}

/** The mail as one that has no consequences and starts no conversation. */
export function asIgnored(mail: ReadMessage): ReadMessage {
  const { bounces, complaint, reportedMessageIds } = mail.verdict
  const verdict = { kind: 'other' as const, rule: ignoredRule, bounces, complaint, reportedMessageIds, awayUntil: null }
  return { ...mail, verdict, calendar: null }
}

/** The lines of a message's header, unfolded and in lower case. */
function headerLines(raw: Buffer): string {
  const text = raw.subarray(0, headerBytesMax).toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.length
  return text
    .slice(0, end)
    .replace(/\r?\n[ \t]+/g, ' ')
    .toLowerCase()
}
