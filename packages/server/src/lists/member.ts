import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { LeadProfile } from '@overture/contract/campaigns/lead-fields.ts'
import type { ListMember } from '@overture/contract/lists/lists.ts'
import { copyProfile } from '@overture/ground/lead-profile.ts'
import type { NewLead, ReadLead } from '../campaigns/leads/lead.ts'

export type NewMember = Omit<NewLead, 'emailDomain'>

export interface MemberRow extends NewMember {
  position: number
  addedAt: Date
  updatedAt: Date
}

export function presentMember({ email, fields, addedAt, updatedAt }: MemberRow): ListMember {
  return {
    email,
    ...copyProfile(fields as LeadProfile),
    customVariables: fields.customVariables ?? {},
    addedAt: addedAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

/** A member as a lead that a campaign can add. */
export function asLead({ email, emailGiven, fields }: MemberRow, index: number): ReadLead {
  return { kind: 'lead', index, lead: { email, emailGiven, emailDomain: normalizeEmail(email).domain, fields } }
}

/** The addresses that begin with the text are those from `from` to `to`. A text without addresses has none. */
export function addressesFrom(text: string | undefined): { from: string; to: string | null } {
  const from = (text ?? '').trim().toLowerCase()
  return { from, to: from === '' ? null : `${from}\u{10ffff}` }
}
