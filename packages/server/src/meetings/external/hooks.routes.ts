import { AppError, notFound } from '@overture/contract/errors.ts'
import { publicRoute, type PublicRequest, type PublicRoute } from '../../platform/http/public-route.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { readIntegrations } from '../availability/availability.commands.ts'
import {
  calComSignatureHolds,
  calendlySignatureHolds,
  readCalCom,
  readCalendly,
  type ExternalMeeting,
} from './external.ts'
import { applyExternalMeeting } from './external.commands.ts'
import type { MeetingTools } from '../notices/notices.commands.ts'

/** Webhooks of Cal.com and Calendly. Their signature is their only authentication. */
export function meetingHooks(tools: MeetingTools): PublicRoute[] {
  const { app } = tools
  return [
    publicRoute({
      method: 'POST',
      path: '/hooks/cal-com/:accountId',
      async handler(request) {
        const tenant = pathTenant(request)
        const { calComSecret } = await readIntegrations(app, tenant)
        if (calComSecret === null) throw notFound()
        const body = bodyBytes(request)
        if (!calComSignatureHolds(body, header(request, 'x-cal-signature-256'), calComSecret)) throw refused()
        return receive(tools, tenant, readCalCom(parse(body)))
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/hooks/calendly/:accountId',
      async handler(request) {
        const tenant = pathTenant(request)
        const { calendlySigningKey: secret } = await readIntegrations(app, tenant)
        if (secret === null) throw notFound()
        const body = bodyBytes(request)
        const signature = header(request, 'calendly-webhook-signature')
        if (!calendlySignatureHolds(body, signature, { secret, now: app.clock.now() })) throw refused()
        return receive(tools, tenant, readCalendly(parse(body)))
      },
    }),
  ]
}

async function receive(tools: MeetingTools, tenant: Tenant, external: ExternalMeeting | null) {
  if (external === null) return { received: true, meetingId: null }
  const now = await tools.app.clocks.now(tools.app.db, tenant)
  const meeting = await tools.app.db.transaction((tx) =>
    applyExternalMeeting(tools, tx, tenant, { external, lead: null, now }),
  )
  return { received: true, meetingId: meeting?.id ?? null }
}

function pathTenant(request: PublicRequest<'/:accountId'>): Tenant {
  const environment = request.query.environment === 'test' ? 'test' : 'live'
  return { accountId: request.params.accountId, environment }
}

function bodyBytes(request: PublicRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
}

function header(request: PublicRequest, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value : null
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}

function refused(): AppError {
  return new AppError('UNAUTHORIZED', 'The signature is not valid.')
}
