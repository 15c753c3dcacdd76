import type { Tenant } from '../../platform/tenant.ts'
import { defaultSlug } from '../availability/availability.ts'

/** Signs and verifies tokens, and has the URL of the pages. */
interface Links {
  config: { publicUrl: string }
  secrets: {
    signToken(purpose: string, fields: readonly string[]): string
    verifyToken(purpose: string, token: string): string[] | null
  }
}

type BookingToken =
  | { kind: 'lead'; tenant: Tenant; campaignId: string; leadId: string }
  | { kind: 'meeting'; tenant: Tenant; meetingId: string }
  | ({ kind: 'confirmation'; tenant: Tenant } & Confirmation)

/** A booking that waits until the owner of the address opens the link. */
export interface Confirmation {
  /** The id of the meeting that will be created, so that the link books only once. */
  meetingId: string
  /** The lead with whose link it was requested, if any. */
  leadId: string | null
  startAt: Date
  timezone: string
  email: string
  name: string | null
  askedAt: Date
}

/** The URL of a lead's own booking page: `{{ meetingUrl }}`. The visitor doesn't have to enter a name or address there. */
export function createMeetingUrl(links: Links, tenant: Tenant, lead: { campaignId: string; leadId: string }): string {
  const token = links.secrets.signToken('booking', [tenant.accountId, tenant.environment, lead.campaignId, lead.leadId])
  return `${links.config.publicUrl}/book/${defaultSlug(tenant)}/${token}`
}

/** The URL to move or cancel a meeting. Everyone with the link may do so. */
export function createManageUrl(links: Links, tenant: Tenant, meetingId: string): string {
  const token = links.secrets.signToken('meeting', [tenant.accountId, tenant.environment, meetingId])
  return `${links.config.publicUrl}/book/${defaultSlug(tenant)}/${token}`
}

/** The URL that confirms an address and books the meeting. */
export function createConfirmationUrl(links: Links, tenant: Tenant, confirmation: Confirmation): string {
  const { meetingId, leadId, startAt, timezone, email, name, askedAt } = confirmation
  const token = links.secrets.signToken('booking_confirmation', [
    tenant.accountId,
    tenant.environment,
    meetingId,
    leadId ?? '',
    startAt.toISOString(),
    timezone,
    email,
    name ?? '',
    askedAt.toISOString(),
  ])
  return `${links.config.publicUrl}/book/${defaultSlug(tenant)}/${token}`
}

export function readBookingToken(links: Links, token: string): BookingToken | null {
  const lead = links.secrets.verifyToken('booking', token)
  if (lead?.length === 4) {
    return { kind: 'lead', tenant: readTenant(lead), campaignId: lead[2]!, leadId: lead[3]! }
  }
  const meeting = links.secrets.verifyToken('meeting', token)
  if (meeting?.length === 3) return { kind: 'meeting', tenant: readTenant(meeting), meetingId: meeting[2]! }
  const fields = links.secrets.verifyToken('booking_confirmation', token)
  return fields?.length === 9 ? { kind: 'confirmation', tenant: readTenant(fields), ...readConfirmation(fields) } : null
}

function readConfirmation(fields: readonly string[]): Confirmation {
  const [, , meetingId = '', leadId, startAt = '', timezone = '', email = '', name, askedAt = ''] = fields
  return {
    meetingId,
    leadId: leadId || null,
    startAt: new Date(startAt),
    timezone,
    email,
    name: name || null,
    askedAt: new Date(askedAt),
  }
}

function readTenant(fields: readonly string[]): Tenant {
  return { accountId: fields[0]!, environment: fields[1] === 'test' ? 'test' : 'live' }
}
