import type { Weekday } from '@overture/contract/common.ts'

const everyDay: Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** A schedule that allows sending at any hour. */
export const anyTime = { windows: [{ days: everyDay, from: '00:00', to: '24:00' }] }
