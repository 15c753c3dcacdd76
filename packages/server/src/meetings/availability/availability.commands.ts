import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import {
  availabilitySettings,
  type Availability,
  type UpdateAvailabilityInput,
} from '@overture/contract/meetings/availability.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import type { App } from '../../platform/app.ts'
import type { Executor, Transaction } from '../../platform/db/database.ts'
import type { RequestContext } from '../../platform/http/route.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import { enqueueCalendarReading } from './calendar-reading.commands.ts'
import { defaultSettings, defaultSlug, isReservedSlug } from './availability.ts'
import {
  clearBusyTimes,
  findAvailability,
  findDefaultTimezone,
  lockAvailability,
  updateAvailabilityRow,
  type AvailabilityRow,
} from './availability.sql.ts'

/** Secrets of external calendars: two signing keys, and the address of the host's calendar. */
interface Integrations {
  calComSecret: string | null
  calendlySigningKey: string | null
  calendarUrl: string | null
}

const reservedSlug = {
  path: 'slug',
  rule: 'reserved',
  message: 'A slug of this form belongs to the account with this id. Choose another one.',
}
/** A calendar of which nothing was read. */
const neverRead = { busyCount: 0, busyReadAt: null, busyError: null }
const noIntegrations: Integrations = { calComSecret: null, calendlySigningKey: null, calendarUrl: null }
/** The context with which the integrations' secrets are sealed, so that only their tenant can open them. */
export const secretContext = (tenant: Tenant): string =>
  `meeting_availability ${tenant.accountId} ${tenant.environment}`

export async function getAvailability({ app, tenant }: RequestContext): Promise<Availability> {
  const row = await findAvailability(app.db, tenant)
  return present(
    app,
    tenant,
    row ?? { ...(await initialAvailability(app.db, tenant)), ...neverRead, integrations: null, updatedAt: null },
  )
}

export async function changeAvailability(
  { app, tenant, now }: RequestContext,
  tx: Transaction,
  input: UpdateAvailabilityInput,
): Promise<Availability> {
  const row = await lockAvailability(tx, tenant, await initialAvailability(tx, tenant))
  const shown = present(app, tenant, row)
  const issues = changedReadOnly(shown, input, ['bookingUrl', 'calCom', 'calendly', 'busyCalendar', 'updatedAt'])
  if (issues.length > 0) throw invalid(...issues)
  const { slug = row.slug, calComSecret, calendlySigningKey, bookingUrl: _url, calCom: _calCom, ...others } = input
  const { calendarUrl, busyCalendar: _busyCalendar, ...rest } = others
  const { calendly: _calendly, updatedAt: _updatedAt, ...changes } = rest
  if (slug !== row.slug && isReservedSlug(slug, tenant)) throw invalid(reservedSlug)
  const settings = availabilitySettings.parse({ ...row.settings, ...defined(changes) })
  if (calendarUrl) requireSafeCalendar(app, calendarUrl)
  const known = openIntegrations(app, tenant, row.integrations)
  const integrations = { ...known, ...defined({ calComSecret, calendlySigningKey, calendarUrl }) }
  const sealed = app.secrets.encrypt(JSON.stringify(integrations), secretContext(tenant))
  const changed = { slug, settings, integrations: sealed, updatedAt: now }
  await updateAvailabilityRow(tx, tenant, changed).catch(refuseTakenSlug)
  if (integrations.calendarUrl === known.calendarUrl) return present(app, tenant, { ...row, ...changed })
  await clearBusyTimes(tx, tenant)
  if (integrations.calendarUrl !== null) await enqueueCalendarReading(tx, tenant, now)
  return present(app, tenant, { ...changed, ...neverRead })
}

/** The secrets of the external calendars, as a request or a transaction sees them. */
export async function readIntegrations(
  app: Pick<App, 'secrets'> & { db: Executor },
  tenant: Tenant,
): Promise<Integrations> {
  return openIntegrations(app, tenant, (await findAvailability(app.db, tenant))?.integrations ?? null)
}

function openIntegrations(app: Pick<App, 'secrets'>, tenant: Tenant, sealed: Buffer | null): Integrations {
  if (sealed === null) return noIntegrations
  return { ...noIntegrations, ...(JSON.parse(app.secrets.decrypt(sealed, secretContext(tenant))) as Integrations) }
}

async function initialAvailability(db: Executor, tenant: Tenant) {
  const timezone = await findDefaultTimezone(db, tenant)
  if (timezone === null) throw notFound()
  return { slug: defaultSlug(tenant), settings: defaultSettings(timezone) }
}

// The database enforces unique slugs over all accounts; this code can't see which account has the slug.
function refuseTakenSlug(error: unknown): never {
  if (!isUniqueViolation(error, 'meeting_availability_slug')) throw error
  throw new AppError('CONFLICT', 'This slug is already taken. Choose another one.', {
    currentStatus: 'slug_taken',
    allowedActions: [],
  })
}

function present(app: App, tenant: Tenant, row: AvailabilityRow): Availability {
  const integrations = openIntegrations(app, tenant, row.integrations)
  const { publicUrl } = app.config
  const hook = (provider: string): string =>
    `${publicUrl}/hooks/${provider}/${tenant.accountId}?environment=${tenant.environment}`
  return {
    ...row.settings,
    slug: row.slug,
    bookingUrl: `${publicUrl}/book/${row.slug}`,
    calCom: { configured: integrations.calComSecret !== null, hookUrl: hook('cal-com') },
    calendly: { configured: integrations.calendlySigningKey !== null, hookUrl: hook('calendly') },
    busyCalendar: toBusyCalendar(integrations, row),
    updatedAt: row.updatedAt?.toISOString() ?? null,
  }
}

function toBusyCalendar({ calendarUrl }: Integrations, row: AvailabilityRow): Availability['busyCalendar'] {
  return {
    configured: calendarUrl !== null,
    host: calendarUrl === null ? null : new URL(calendarUrl).host,
    readAt: row.busyReadAt?.toISOString() ?? null,
    error: row.busyError,
    busyTimes: row.busyCount,
  }
}

// Everyone on the way could read the secret in the address.
function requireSafeCalendar(app: App, url: string): void {
  if (new URL(url).protocol !== 'http:' || app.config.network.allowPrivateTargets) return
  throw invalid({ path: 'calendarUrl', rule: 'format', message: 'Use the https address of the calendar.' })
}

function defined<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>
}
