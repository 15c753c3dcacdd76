import { hourMs } from '@overture/ground/time/spans.ts'
import { dayNumberAt, startOfDayMs } from '@overture/ground/time/time-zone.ts'
import { localDate } from '@overture/ground/time/day-words.ts'

/**
 * The limits on how often people may be written to, over all campaigns of an account. Days are whole days of the account's zone, and today
 * counts. Null means no limit. Source: docs/contract.md, "Contact policy".
 */
export interface ContactLimits {
  perPerson: { messages: number; days: number } | null
  perCompany: { people: number; days: number } | null
  oneCampaignAtATime: boolean
  /** Days without a message after mail was exchanged outside of campaigns. */
  conversationDays: number | null
  quietAfterReplyDays: number | null
  /** The account's zone. */
  timezone: string
}

/** A message of a campaign that a person got, or is about to get. */
export interface Contact {
  atMs: number
  campaignId: string
  leadId: string
  /** Whether the lead still waits for messages. */
  isOpen: boolean
}

/** Mail between one of the account's mailboxes and a person, outside of campaigns. */
export interface Exchange {
  atMs: number
  mailbox: string
  direction: 'inbound' | 'outbound'
}

/** The contacts with one person. */
export interface PersonRecord {
  /** Oldest first. */
  contacts: readonly Contact[]
  exchange: Exchange | null
  /** When the person last replied to a campaign. */
  repliedAtMs: number | null
}

interface Lookup<Value> {
  get(key: string): Value | undefined
}

/** The records that a plan needs. A person without a record was never contacted. */
export interface ContactRecords {
  persons: Lookup<PersonRecord>
  /** The times at which people of a company were first contacted, oldest first, by company. */
  companies: Lookup<readonly number[]>
}

/** The lead that a rule is asked about. */
export interface ContactedLead {
  id: string
  campaignId: string
  person?: string | undefined
  company?: string | null
}

export type ContactGate = 'in_conversation' | 'other_campaign' | 'person_limit' | 'company_limit'

export interface ContactVerdict {
  passed: boolean
  /** One sentence with the numbers. */
  detail: string
  /** The time when the gate opens. Infinity: it opens only after something changes. */
  untilMs: number
}

/** The planner is not notified when the lead of another campaign ends, so it checks again after this time. */
export const otherCampaignRecheckMs = hourMs

const unknownPerson: PersonRecord = { contacts: [], exchange: null, repliedAtMs: null }

/** The records of people and companies with the limits. `record` adds messages as they are planned. */
export class ContactBook {
  readonly limits: ContactLimits
  readonly #stored: ContactRecords
  readonly #persons = new Map<string, PersonRecord>()
  readonly #companies = new Map<string, readonly number[]>()

  constructor(limits: ContactLimits, stored: ContactRecords) {
    this.limits = limits
    this.#stored = stored
  }

  /** Returns a copy of the book. Messages that the copy records do not change this book. */
  fork(): ContactBook {
    return new ContactBook(this.limits, {
      persons: { get: (key) => this.#personOf(key) },
      companies: { get: (key) => this.#companyOf(key) },
    })
  }

  person(lead: ContactedLead): PersonRecord {
    return this.#personOf(lead.person ?? '') ?? unknownPerson
  }

  company(lead: ContactedLead): readonly number[] {
    return (lead.company ? this.#companyOf(lead.company) : undefined) ?? []
  }

  /** Counts a message to the lead. */
  record(lead: ContactedLead, atMs: number): void {
    if (lead.person === undefined) return
    const known = this.person(lead)
    const { perCompany } = this.limits
    // The limit counts the newest people only, so older times are dropped.
    if (known.contacts.length === 0 && lead.company && perCompany)
      this.#companies.set(lead.company, [...this.company(lead), atMs].slice(-perCompany.people))
    const contact = { atMs, campaignId: lead.campaignId, leadId: lead.id, isOpen: true }
    this.#persons.set(lead.person, { ...known, contacts: [...known.contacts, contact] })
  }

  /** Records that a lead gets no more messages. */
  end(lead: ContactedLead): void {
    if (lead.person === undefined) return
    const known = this.person(lead)
    const contacts = known.contacts.map((one) => (one.leadId === lead.id ? { ...one, isOpen: false } : one))
    this.#persons.set(lead.person, { ...known, contacts })
  }

  #personOf(key: string): PersonRecord | undefined {
    return this.#persons.get(key) ?? this.#stored.persons.get(key)
  }

  #companyOf(key: string): readonly number[] | undefined {
    return this.#companies.get(key) ?? this.#stored.companies.get(key)
  }
}

/** The gates that are checked after the sending window, in their order. */
const countingGates = ['other_campaign', 'person_limit', 'company_limit'] as const
const contactGates = ['in_conversation', ...countingGates] as const

interface ClosedContactGate {
  gate: ContactGate
  detail: string
  untilMs: number
}

/** Returns the first closed gate of the policy among those after the sending window. Null: a message may be sent. */
export function closedContactGate(book: ContactBook, lead: ContactedLead, nowMs: number): ClosedContactGate | null {
  return firstClosed(countingGates, { book, lead, nowMs })
}

/** The first closed gate of the whole policy, for a message that passes no other gate of the planner. */
export function firstClosedGate(book: ContactBook, lead: ContactedLead, nowMs: number): ClosedContactGate | null {
  return firstClosed(contactGates, { book, lead, nowMs })
}

function firstClosed(gates: readonly ContactGate[], question: ContactQuestion): ClosedContactGate | null {
  for (const gate of gates) {
    const { passed, detail, untilMs } = judgeContact(gate, question)
    if (!passed) return { gate, detail, untilMs }
  }
  return null
}

/**
 * Returns the first closed gate of each lead, or null, as if all leads were written to now in this order. A lead that passes counts
 * against the limits of the following leads.
 */
export function judgeInOrder(
  stored: ContactBook | null,
  leads: readonly ContactedLead[],
  nowMs: number,
): (ContactGate | null)[] {
  const book = stored?.fork()
  return leads.map((lead) => {
    const closed = book && firstClosedGate(book, lead, nowMs)
    if (!closed) book?.record(lead, nowMs)
    return closed?.gate ?? null
  })
}

interface ContactQuestion {
  book: ContactBook
  lead: ContactedLead
  nowMs: number
}

export function judgeContact(gate: ContactGate, question: ContactQuestion): ContactVerdict {
  return rules[gate](question)
}

const rules: Record<ContactGate, (question: ContactQuestion) => ContactVerdict> = {
  in_conversation: judgeConversation,
  other_campaign: judgeOtherCampaign,
  person_limit: judgePersonLimit,
  company_limit: judgeCompanyLimit,
}

function judgeConversation({ book, lead, nowMs }: ContactQuestion): ContactVerdict {
  const { conversationDays, quietAfterReplyDays, timezone } = book.limits
  const { exchange, repliedAtMs } = book.person(lead)
  const afterReply = fallsOut(timezone, repliedAtMs, quietAfterReplyDays)
  const afterMail = fallsOut(timezone, exchange?.atMs ?? null, conversationDays)
  if (Math.max(afterReply, afterMail) <= nowMs) return open('No mail was exchanged with the person lately.')
  if (afterReply >= afterMail) {
    const since = localDate(timezone, repliedAtMs ?? nowMs)
    return shut(
      `The person replied on ${since}. Messages may follow on ${localDate(timezone, afterReply)}.`,
      afterReply,
    )
  }
  const words = exchange?.direction === 'outbound' ? 'wrote to the person' : 'got mail from the person'
  const since = localDate(timezone, exchange?.atMs ?? nowMs)
  const until = localDate(timezone, afterMail)
  return shut(`${exchange?.mailbox ?? ''} ${words} on ${since}. Messages may follow on ${until}.`, afterMail)
}

function judgeOtherCampaign({ book, lead }: ContactQuestion): ContactVerdict {
  if (!book.limits.oneCampaignAtATime) return open('Several campaigns may write to a person.')
  const first = book.person(lead).contacts.find((contact) => contact.isOpen)
  if (first === undefined || first.leadId === lead.id) return open('No other campaign writes to the person.')
  return shut(`${first.campaignId} wrote to the person first and has not ended.`, Infinity)
}

function judgePersonLimit({ book, lead, nowMs }: ContactQuestion): ContactVerdict {
  const { perPerson, timezone } = book.limits
  if (perPerson === null) return open('No limit per person.')
  const times = book.person(lead).contacts.map(({ atMs }) => atMs)
  return judgeWindow({ times, most: perPerson.messages, days: perPerson.days, timezone, nowMs, unit: 'messages' })
}

function judgeCompanyLimit({ book, lead, nowMs }: ContactQuestion): ContactVerdict {
  const { perCompany, timezone } = book.limits
  if (perCompany === null) return open('No limit per company.')
  if (!lead.company) return open('The company of the person is not known.')
  const times = book.company(lead)
  const verdict = judgeWindow({
    times,
    most: perCompany.people,
    days: perCompany.days,
    timezone,
    nowMs,
    unit: 'people',
  })
  if (verdict.passed) return verdict
  return book.person(lead).contacts.length > 0 ? open('The person was contacted before.') : verdict
}

interface Window {
  /** Oldest first. */
  times: readonly number[]
  most: number
  days: number
  timezone: string
  nowMs: number
  unit: 'messages' | 'people'
}

function judgeWindow({ times, most, days, timezone, nowMs, unit }: Window): ContactVerdict {
  const sinceMs = startOfDayMs(timezone, dayNumberAt(timezone, nowMs) - days + 1)
  const within = times.filter((atMs) => atMs >= sinceMs)
  const counted = `${within.length} of ${most}${unit === 'people' ? ' people of the company' : ''} in ${days} days`
  // If more messages count than the limit allows, the gate opens when so many of them are too old that fewer than the limit remain.
  const oldest = within[within.length - most]
  if (oldest === undefined) return open(`${counted}.`)
  const untilMs = fallsOut(timezone, oldest, days)
  return shut(`${counted}; the oldest falls out on ${localDate(timezone, untilMs)}.`, untilMs)
}

/** Returns the start of the first day on which a message of this time does not count any more. -Infinity: it never counts. */
function fallsOut(timezone: string, atMs: number | null, days: number | null): number {
  if (atMs === null || days === null) return -Infinity
  return startOfDayMs(timezone, dayNumberAt(timezone, atMs) + days)
}

function open(detail: string): ContactVerdict {
  return { passed: true, detail, untilMs: -Infinity }
}

function shut(detail: string, untilMs: number): ContactVerdict {
  return { passed: false, detail, untilMs }
}
