import type { Tenant } from '../platform/tenant.ts'
import { defaultSlug } from './availability.ts'

/** Signs and reads tokens, and knows where the pages are. */
export interface Links {
  config: { publicUrl: string }
  secrets: {
    signToken(purpose: string, fields: readonly string[]): string
    verifyToken(purpose: string, token: string): string[] | null
  }
}

export type BookingToken =
  | { kind: 'lead'; tenant: Tenant; campaignId: string; leadId: string }
  | { kind: 'meeting'; tenant: Tenant; meetingId: string }

/** A lead's own booking page: `{{ meetingUrl }}`. Who opens it need not say who they are. */
export function meetingUrlOf(links: Links, tenant: Tenant, lead: { campaignId: string; leadId: string }): string {
  const token = links.secrets.signToken('booking', [tenant.accountId, tenant.environment, lead.campaignId, lead.leadId])
  return `${links.config.publicUrl}/book/${defaultSlug(tenant)}/${token}`
}

/** Where a meeting is moved or canceled, by whoever holds the link. */
export function manageUrlOf(links: Links, tenant: Tenant, meetingId: string): string {
  const token = links.secrets.signToken('meeting', [tenant.accountId, tenant.environment, meetingId])
  return `${links.config.publicUrl}/book/${defaultSlug(tenant)}/${token}`
}

export function readBookingToken(links: Links, token: string): BookingToken | null {
  const lead = links.secrets.verifyToken('booking', token)
  if (lead?.length === 4) {
    return { kind: 'lead', tenant: tenantOf(lead), campaignId: lead[2]!, leadId: lead[3]! }
  }
  const meeting = links.secrets.verifyToken('meeting', token)
  return meeting?.length === 3 ? { kind: 'meeting', tenant: tenantOf(meeting), meetingId: meeting[2]! } : null
}

function tenantOf(fields: readonly string[]): Tenant {
  return { accountId: fields[0]!, environment: fields[1] === 'test' ? 'test' : 'live' }
}
