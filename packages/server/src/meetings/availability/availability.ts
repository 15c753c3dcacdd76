import type { AvailabilitySettings } from '@overture/contract/meetings/availability.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** The initial settings: Monday to Friday 09:00–17:00 in the account's zone, half an hour per meeting. */
export function defaultSettings(timezone: string): AvailabilitySettings {
  return {
    enabled: true,
    title: 'Meeting',
    timezone,
    windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
    durationMinutes: 30,
    slotStepMinutes: 30,
    bufferMinutes: 0,
    minNoticeMinutes: 120,
    maxDaysAhead: 30,
    blackoutDates: [],
    hostName: null,
    hostEmail: null,
    joinUrl: null,
    reminderMinutes: [1440, 60],
  }
}

/** The name of the booking page until the account chooses one. It stays valid afterwards. */
export function defaultSlug(tenant: Tenant): string {
  const account = tenant.accountId.replace(/^acc_/, '')
  return tenant.environment === 'test' ? `${account}-test` : account
}

// The time part of an id (packages/ground/src/text/id-form.ts) begins with a digit until 2318, so words of 18 letters don't match.
const accountSlug = /^[0-9][0-9a-hjkmnp-tv-z]{17}(?:-test)?$/

/** Each account's default page name is made from its id. No other account may choose such a name, even if that id doesn't exist. */
export function isReservedSlug(slug: string, tenant: Tenant): boolean {
  return accountSlug.test(slug) && slug !== defaultSlug(tenant)
}

export function tenantOfDefaultSlug(slug: string): Tenant {
  const test = slug.endsWith('-test')
  return { accountId: `acc_${test ? slug.slice(0, -5) : slug}`, environment: test ? 'test' : 'live' }
}
