import { packId, unpackId } from '@overture/ground/text/id-form.ts'
import type { Secrets } from '../../platform/crypto/secrets.shell.ts'
import { defaultSlug } from '../availability/availability.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** Signs and verifies tokens, and has the URL of the pages. */
export interface Links {
  config: { publicUrl: string }
  secrets: Pick<Secrets, 'signToken' | 'verifyToken' | 'sealToken' | 'openToken'>
}

type BookingToken =
  | { kind: 'lead'; tenant: Tenant; leadId: string }
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

/**
 * The URL of a lead's own booking page: `{{ meetingUrl }}`. The visitor doesn't have to enter a name or address there. It is visible in
 * mail, so its path has 54 characters.
 */
export function createMeetingUrl(links: Links, tenant: Tenant, { leadId }: { leadId: string }): string {
  const own = shortUrl(links, 'booking', { tenant, prefix: 'led', id: leadId })
  // An id of another form can't be packed. That lead books on the page of the account, and enters name and address.
  return own ?? `${links.config.publicUrl}/book/${defaultSlug(tenant)}`
}

/** The URL to move or cancel a meeting. Everyone with the link may do so. */
export function createManageUrl(links: Links, tenant: Tenant, meetingId: string): string {
  const url = shortUrl(links, 'meeting', { tenant, prefix: 'mtg', id: meetingId })
  if (url === null) throw new Error('The meeting has no id of our form.')
  return url
}

interface LinkTarget {
  tenant: Tenant
  prefix: 'led' | 'mtg'
  id: string
}

// The hidden part makes the token as long as an opt-out token at least, so that `withoutLinkTokens` recognizes it.
function shortUrl({ config, secrets }: Links, purpose: string, { tenant, prefix, id }: LinkTarget): string | null {
  const account = packId('acc', tenant.accountId)
  const packed = packId(prefix, id)
  if (account === null || packed === null) return null
  const shown = `${tenant.environment === 'live' ? 'l' : 't'}${account}${packed}`
  return `${config.publicUrl}/b/${secrets.sealToken(purpose, { shown, hidden: prefix })}`
}

/** Null unless we made the token for this purpose. */
function readShort({ secrets }: Links, purpose: string, token: string): { tenant: Tenant; packed: string } | null {
  const shown = secrets.openToken(purpose, token)?.shown
  const [, environment, account, packed] = /^([lt])([\w-]{15})([\w-]{15})$/.exec(shown ?? '') ?? []
  if (account === undefined || packed === undefined) return null
  return {
    tenant: { accountId: unpackId('acc', account), environment: environment === 'l' ? 'live' : 'test' },
    packed,
  }
}

/** The URL that confirms an address and books the meeting. It has the whole request, because nothing is stored before. */
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
  return `${links.config.publicUrl}/b/${token}`
}

export function readBookingToken(links: Links, token: string): BookingToken | null {
  const lead = readShort(links, 'booking', token)
  if (lead !== null) return { kind: 'lead', tenant: lead.tenant, leadId: unpackId('led', lead.packed) }
  const meeting = readShort(links, 'meeting', token)
  if (meeting !== null) return { kind: 'meeting', tenant: meeting.tenant, meetingId: unpackId('mtg', meeting.packed) }
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
