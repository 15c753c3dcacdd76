import { createSmtpTransport, deliverClaimed, noFaults, runPlanning } from '@overture/server/delivery/index.ts'
import type { DeliveryTools, Transport } from '@overture/server/delivery/index.ts'
import type { App } from '@overture/server/platform/app.ts'
import { createSmtpPool, type SmtpPool } from '@overture/server/platform/mail/smtp-pool.client.ts'
import type { Tenant } from '@overture/server/platform/tenant.ts'
import { startSmtpDouble, type SmtpDouble } from '../mail/smtp-double.server.ts'
import { testRenderer } from '../renderer.ts'

/** Delivery without its worker: due messages are sent to an SMTP double when a test calls `deliverDue`. */
export interface DeliveryByHand {
  smtp: SmtpDouble
  pool: SmtpPool
  tools: DeliveryTools
  stop(): Promise<void>
}

export async function startDelivery(app: App): Promise<DeliveryByHand> {
  const [smtp, pool] = [await startSmtpDouble(), createSmtpPool()]
  return {
    smtp,
    pool,
    tools: toolsOver(app, smtpOver(app, pool)),
    async stop() {
      await pool.close()
      await smtp.stop()
    },
  }
}

export function smtpOver(app: App, pool: SmtpPool): Transport {
  return createSmtpTransport({ app, pool, faultsArmed: false })
}

export function toolsOver(app: App, transport: Transport, renderer = testRenderer): DeliveryTools {
  return { app, renderer, transportFor: () => transport, faults: noFaults, sentFolder: null }
}

/** Plans the leads that are due at `now` and delivers the claimed messages. Returns the number of claims. */
export async function deliverDue(tools: DeliveryTools, tenant: Tenant, now: Date): Promise<number> {
  const { claimed, token } = await runPlanning(tools, tenant, now)
  await deliverClaimed(tools, tenant, { now, token })
  return claimed
}
