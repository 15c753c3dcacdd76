import type { VerificationReason, VerificationResult } from '@overture/contract/verification/verification.ts'
import { minuteMs, hourMs, dayMs } from '@overture/ground/time/spans.ts'
import { hash32, unitInterval } from '@overture/ground/chance/seeded.ts'

/** Simulated people: how an address reacts to a message, and when. Everything is drawn from the address, so that runs are repeatable. */

/** The kind of the job in which a simulated person acts. */
export const reactionKind = 'sandbox.react'
const prospectDomain = 'prospects.test'

export const prospectActs = [
  'scan',
  'open',
  'click',
  'reply',
  'interested',
  'ooo',
  'bounce',
  'softbounce',
  'quota',
  'senderblocked',
  'unsubscribe',
  'book',
] as const
export type ProspectAct = (typeof prospectActs)[number]

/** These acts are counted, but change no later message. */
const hitActs = ['scan', 'open', 'click'] as const
export type HitAct = (typeof hitActs)[number]

export function isHit(act: ProspectAct): act is HitAct {
  return hitActs.some((one) => one === act)
}

const answers: readonly ProspectAct[] = ['reply', 'interested', 'ooo', 'unsubscribe']

/** Whether an act changes only leads: it sends no mail, and no count of a sender's health includes it. */
export function changesLeadsAlone(act: unknown): boolean {
  return answers.some((answer) => answer === act)
}

/** The response of the simulated mail server to an accepted message. */
export function acceptedAnswer(id: string): string {
  return `250 2.0.0 Ok: queued as ${id}`
}

interface Reaction {
  act: ProspectAct
  /** After the message arrived. */
  delayMs: number
}

/** Shortest and longest delay. All reactions happen within a day of the message (docs/contract.md, "Test environment"). */
const delays: Record<ProspectAct, readonly [number, number]> = {
  // A gateway fetches all links in the first second, faster than any person reads.
  scan: [200, 1200],
  open: [2 * minuteMs, 9 * hourMs],
  click: [3 * minuteMs, 10 * hourMs],
  reply: [12 * minuteMs, 20 * hourMs],
  interested: [8 * minuteMs, 16 * hourMs],
  ooo: [5_000, 2 * minuteMs],
  bounce: [2_000, 10 * minuteMs],
  softbounce: [minuteMs, 40 * minuteMs],
  quota: [2_000, 10 * minuteMs],
  senderblocked: [2_000, 10 * minuteMs],
  unsubscribe: [5 * minuteMs, 12 * hourMs],
  book: [20 * minuteMs, 18 * hourMs],
}

/** One recipient in four is behind a gateway that fetches every link first. */
const scannedOneIn = 4

/** The acts that an address names: `anna+open+reply@prospects.test`. Any other address does nothing. */
export function parseTags(address: string): ProspectAct[] {
  const [local = '', domain = ''] = address.toLowerCase().split('@')
  if (domain !== prospectDomain) return []
  const tags = local.split('+').slice(1)
  return prospectActs.filter((act) => act !== 'scan' && tags.includes(act))
}

/**
 * The reactions of an address to the message number `ordinal` (from 1) of a campaign. Opens and clicks follow every message,
 * other reactions only the first.
 */
export function chooseReactions(address: string, ordinal: number): Reaction[] {
  const tags = parseTags(address)
  const isFirst = ordinal === 1
  if (tags.includes('bounce')) return isFirst ? [drawn(address, 'bounce', ordinal)] : []
  const refusal = tags.find((act) => act === 'quota' || act === 'senderblocked')
  if (refusal !== undefined && isFirst) return [drawn(address, refusal, ordinal)]
  if (tags.includes('softbounce') && isFirst) return [drawn(address, 'softbounce', ordinal)]
  const acts = tags.filter((act) => act === 'open' || act === 'click' || (isFirst && act !== 'softbounce'))
  const reactions = acts.map((act) => drawn(address, act, ordinal))
  const reads = acts.includes('open') || acts.includes('click')
  if (reads && hash32(`${address.toLowerCase()} gateway`) % scannedOneIn === 0)
    reactions.push(drawn(address, 'scan', ordinal))
  return reactions.sort((a, b) => a.delayMs - b.delayMs)
}

/** When a person who is out of office returns: after two or three days, so that the next step waits three days at most. */
export function returnDate(address: string, receivedAt: Date): Date {
  const days = 2 + (hash32(`${address.toLowerCase()} away`) % 2)
  return new Date(receivedAt.getTime() + days * dayMs - hourMs)
}

// Short delays are more likely than long ones, as with real people.
function drawn(address: string, act: ProspectAct, ordinal: number): Reaction {
  const [shortestMs, longestMs] = delays[act]
  const part = unitInterval(`${address.toLowerCase()} ${act} ${ordinal}`)
  return { act, delayMs: Math.round(shortestMs * (longestMs / shortestMs) ** part) }
}

interface SimulatedAddress {
  route: 'exists' | 'none'
  isDisposable: boolean
  mailbox: { result: VerificationResult; reasons: VerificationReason[]; suggestion: null }
}

/** Returns the result of a verification in the test environment. An address that bounces there has no mailbox. */
export function simulateAddress(email: string): SimulatedAddress {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return {
    route: domain === 'nomx.prospects.test' ? 'none' : 'exists',
    isDisposable: domain === 'disposable.prospects.test',
    mailbox: { ...simulateMailbox(email, domain), suggestion: null },
  }
}

function simulateMailbox(email: string, domain: string): { result: VerificationResult; reasons: VerificationReason[] } {
  const acts = parseTags(email)
  if (domain === 'catchall.prospects.test') return { result: 'risky', reasons: ['catch_all'] }
  if (acts.includes('bounce')) return { result: 'undeliverable', reasons: ['mailbox_not_found'] }
  if (acts.includes('quota')) return { result: 'risky', reasons: ['mailbox_full'] }
  return { result: 'deliverable', reasons: [] }
}
