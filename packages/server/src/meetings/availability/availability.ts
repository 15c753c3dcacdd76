import type { AvailabilitySettings } from '@overture/contract/meetings/meetings.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** Monday to Friday 09:00–17:00 in the account's zone, half an hour each, until somebody says otherwise. */
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

/** The booking page's name until the account chooses one; it goes on working afterwards. */
export function defaultSlug(tenant: Tenant): string {
  const account = tenant.accountId.replace(/^acc_/, '')
  return tenant.environment === 'test' ? `${account}-test` : account
}

// Ids of both lengths (ground/text/id-form.ts). The time of the shorter begins with a numeral until 2318, which words of 18 letters don't.
const accountSlug = /^(?:[0-9a-z]{26}|[0-9][0-9a-hjkmnp-tv-z]{17})(?:-test)?$/

/** Every account's page has a name made of its id: nobody else may take one, whether that account is there or not. */
export function isReservedSlug(slug: string, tenant: Tenant): boolean {
  return accountSlug.test(slug) && slug !== defaultSlug(tenant)
}

export function tenantOfDefaultSlug(slug: string): Tenant {
  const test = slug.endsWith('-test')
  return { accountId: `acc_${test ? slug.slice(0, -5) : slug}`, environment: test ? 'test' : 'live' }
}
