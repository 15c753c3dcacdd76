import { dayMs } from '../../ground/time/spans.ts'
import { invisibleCharacterIn, normalizeEmail } from '@overture/contract/addresses.ts'
import type { Verdict } from '../classify/classify.ts'
import type { ReadMessage } from '../reading/read-message.ts'

/** What is enough to choose among the messages that a mail refers to. */
interface Candidate {
  direction: 'outbound' | 'inbound'
  rfcMessageId: string
  deliveredMessageId?: string | null
  leadId: string | null
  leadEmail: string | null
}

/** Message-IDs that a mail refers to, the nearest first: reported ones, In-Reply-To, then References backwards. */
export function referredIds(
  mail: Pick<ReadMessage, 'inReplyTo' | 'references'> & { verdict: Pick<Verdict, 'reportedMessageIds'> },
): string[] {
  return [...new Set([...mail.verdict.reportedMessageIds, ...mail.inReplyTo, ...mail.references.toReversed()])].slice(
    0,
    100,
  )
}

/**
 * The nearest message that is known; one of a lead before one without a lead. A Message-ID that we wrote counts before the same one
 * as a mail server's word: a server can name any, and would get the replies to other messages.
 */
export function nearest<Message extends Candidate>(ids: readonly string[], known: readonly Message[]): Message | null {
  const found = ids.flatMap((id) => [
    ...known.filter((message) => message.rfcMessageId === id),
    ...known.filter((message) => message.rfcMessageId !== id && message.deliveredMessageId === id),
  ])
  return found.find((message) => message.leadId !== null) ?? found[0] ?? null
}

/**
 * A sender's own copy of what it wrote (Sent, or sent to itself) is never a reply, unless the one who wrote is the
 * lead of that very thread and it came to another mailbox.
 */
export function isOwnCopy(
  from: string | null,
  own: { senders: ReadonlySet<string>; mailbox: string },
  match: Candidate | null,
): boolean {
  if (from === null) return false
  const { email } = normalizeEmail(from)
  if (!own.senders.has(email)) return false
  return email === own.mailbox || match?.leadEmail !== email
}

/**
 * Where the writer wants answers, if that is elsewhere than where the mail says it is from. Lists put in their own address,
 * and some programs ours: answers to ourselves are none.
 */
export function answersTo(
  mail: Pick<ReadMessage, 'from' | 'replyTo'>,
  senders: ReadonlySet<string>,
): ReadMessage['replyTo'] | null {
  const from = new Set(mail.from.map(({ email }) => normalizeEmail(email).email))
  const wanted = mail.replyTo.filter(({ email }) => isAddress(email) && !senders.has(normalizeEmail(email).email))
  return wanted.every(({ email }) => from.has(normalizeEmail(email).email)) ? null : wanted
}

function isAddress(email: string): boolean {
  return /^[^\s@<>",;:]{1,64}@[^\s@<>",;:]{1,255}$/.test(email) && invisibleCharacterIn(email) === null
}

/** Domains at which people of different companies have mailboxes: no colleagues there. */
const sharedDomains = new Set([
  'gmail.com',
  'googlemail.com',
  'yahoo.com',
  'yahoo.co.uk',
  'yahoo.fr',
  'yahoo.de',
  'yahoo.co.jp',
  'ymail.com',
  'hotmail.com',
  'hotmail.co.uk',
  'hotmail.fr',
  'outlook.com',
  'outlook.de',
  'live.com',
  'live.co.uk',
  'msn.com',
  'icloud.com',
  'me.com',
  'mac.com',
  'aol.com',
  'gmx.de',
  'gmx.net',
  'gmx.com',
  'gmx.at',
  'gmx.ch',
  'web.de',
  't-online.de',
  'freenet.de',
  'mail.com',
  'mail.ru',
  'yandex.ru',
  'yandex.com',
  'bk.ru',
  'list.ru',
  'inbox.ru',
  'rambler.ru',
  'qq.com',
  '163.com',
  '126.com',
  'sina.com',
  'naver.com',
  'daum.net',
  'hanmail.net',
  'orange.fr',
  'wanadoo.fr',
  'free.fr',
  'laposte.net',
  'sfr.fr',
  'libero.it',
  'virgilio.it',
  'tiscali.it',
  'alice.it',
  'protonmail.com',
  'proton.me',
  'pm.me',
  'tutanota.com',
  'tuta.io',
  'zoho.com',
  'fastmail.com',
  'hey.com',
  'comcast.net',
  'verizon.net',
  'att.net',
  'sbcglobal.net',
  'cox.net',
  'btinternet.com',
  'sky.com',
  'ziggo.nl',
  'kpnmail.nl',
  'telenet.be',
  'skynet.be',
  'bluewin.ch',
  'wp.pl',
  'o2.pl',
  'onet.pl',
  'interia.pl',
  'seznam.cz',
  'centrum.cz',
  'uol.com.br',
  'bol.com.br',
  'terra.com.br',
  'rediffmail.com',
  'docomo.ne.jp',
  'ezweb.ne.jp',
  'softbank.ne.jp',
  'nifty.com',
  'telia.com',
  'online.no',
])

/** Whether people of different companies have mailboxes there. */
export function isSharedDomain(domain: string): boolean {
  return sharedDomains.has(domain)
}

/** The domain by which colleagues are found; null where it says nothing. */
export function companyDomain(lead: { companyDomain: string | null; emailDomain: string }): string | null {
  if (lead.companyDomain !== null && lead.companyDomain !== '') return lead.companyDomain
  return isSharedDomain(lead.emailDomain) ? null : lead.emailDomain
}

/** From when on the next step may go out after an automatic reply: the day after the one it names, 90 days at most. */
export function deferredUntil(awayUntil: string | null, now: Date): Date | null {
  if (awayUntil === null) return null
  const at = Math.min(Date.parse(`${awayUntil}T00:00:00.000Z`) + dayMs, now.getTime() + 90 * dayMs)
  return at > now.getTime() ? new Date(at) : null
}

/** The breaker's look at a mailbox: its last sends, and how many of them may be called spam. Source: docs/delivery.md. */
export const complaintWindow = 100

export function complaintsTrip({ sent, complaints }: { sent: number; complaints: number }): boolean {
  return sent >= 20 && complaints / sent >= 0.003
}
