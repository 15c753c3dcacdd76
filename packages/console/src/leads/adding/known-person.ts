import type { LeadItem, Person } from '@overture/sdk'
import { leadStatusMoves } from '@overture/contract/vocabularies.ts'
import { type Profile, profileFields } from '../profile.ts'
import { text } from './add-person.messages.ts'

type Membership = Person['campaigns'][number]
type KnownPerson = Pick<Person, 'firstName' | 'campaigns' | 'email'>

const copied = ['firstName', 'lastName', 'company', 'jobTitle', 'timezone', 'country', 'city', 'linkedinUrl'] as const

/** The lead with the fields that are known of the person and that the user left empty. */
export function withKnown(lead: LeadItem, person: Pick<Person, (typeof copied)[number]>): LeadItem {
  const known = copied.flatMap((name) => {
    const value = person[name]
    return value === null || (lead[name] ?? '') !== '' ? [] : [[name, value] as const]
  })
  return { ...lead, ...Object.fromEntries(known) }
}

const met: readonly Membership['interest'][] = ['meeting_booked', 'meeting_completed']

/** A sentence for each other campaign in which the person gets messages, answered or booked a meeting. */
export function elsewhere(person: KnownPerson, campaignId: string): string[] {
  const who = person.firstName ?? person.email
  return person.campaigns.flatMap((membership) => {
    const what = membership.campaignId === campaignId ? null : whatIn(membership)
    return what === null ? [] : [text.isIn(who, membership.campaignName, what)]
  })
}

function whatIn({ status, interest, replyCount }: Membership): string | null {
  if (met.includes(interest)) return text.booked
  if (status === 'replied' || replyCount > 0) return text.answered
  if (status === 'unsubscribed') return text.optedOut
  // A lead that can still be stopped may get messages.
  return leadStatusMoves[status].length > 0 ? text.running : null
}

export interface SortedLeads {
  /** All leads, with the fields that are known of them. */
  all: readonly LeadItem[]
  /** The leads that need no question. */
  others: readonly LeadItem[]
  /** The sentences about each of the other leads. */
  elsewhere: readonly string[][]
}

/** Sorts out the leads to ask about before they are added to a campaign. */
export function sortLeads(leads: readonly LeadItem[], people: readonly Person[], campaignId: string): SortedLeads {
  const known = new Map(people.map((person) => [person.email, person]))
  const sorted = leads.map((lead) => {
    const person = known.get((lead.email ?? '').toLowerCase())
    if (person === undefined) return { lead, sentences: [] }
    return { lead: withKnown(lead, person), sentences: elsewhere(person, campaignId) }
  })
  return {
    all: sorted.map(({ lead }) => lead),
    others: sorted.flatMap(({ lead, sentences }) => (sentences.length === 0 ? [lead] : [])),
    elsewhere: sorted.flatMap(({ sentences }) => (sentences.length === 0 ? [] : [sentences])),
  }
}

/** A lead with everything that is known of the person. */
export function leadFromPerson(person: Profile): LeadItem {
  const known = profileFields.flatMap((name) => (person[name] === null ? [] : [[name, person[name]] as const]))
  return { email: person.email, customVariables: person.customVariables, ...Object.fromEntries(known) }
}
