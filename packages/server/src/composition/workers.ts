import { hourMs, minuteMs } from '@overture/ground/time/spans.ts'
import { createStatisticsWorker } from '../analytics/index.ts'
import { createDeliveryWorker } from '../delivery/index.ts'
import { createInboxWorker, inboxPeriodic } from '../inbox/index.ts'
import { takeMailedReport } from '../deliverability/index.ts'
import { creditsPeriodic } from '../credits/index.ts'
import { calendarHook } from '../meetings/index.ts'
import type { App } from '../platform/app.ts'
import { forgetByAccount } from '../platform/lifecycle/forget.ts'
import { deleteOldAnswers, listOldAnswersAcrossAccounts } from '../platform/http/idempotency.sql.ts'
import { createPeriodicWorker, type PeriodicTask } from '../platform/lifecycle/polling.worker.ts'
import type { Worker } from '../platform/lifecycle/worker.ts'
import { retentionPeriodic } from './retention.worker.ts'
import { rotateSecrets } from './secrets.shell.ts'
import { sendingAccountsPeriodic } from '../sending-accounts/index.ts'
import type { Services } from './services.ts'
import { repliedHook, senderChanges } from './slice-wiring.ts'
import { auditPeriodic } from '../audit/index.ts'
import { assistantsPeriodic } from '../assistants/index.ts'
import { teamPeriodic } from '../team/index.ts'
import { createWebhookWorker } from '../webhooks/index.ts'

const rotateSecretsEveryMs = 10 * minuteMs
const expiredAnswersMax = 10_000

/** All background work, on nodes whose role is `worker` or `all`. */
export function createWorkers(app: App, services: Services): Worker[] {
  const periodic = [
    ...creditsPeriodic,
    ...inboxPeriodic,
    ...sendingAccountsPeriodic(senderChanges),
    teamPeriodic,
    assistantsPeriodic,
    ...auditPeriodic,
    ...retentionPeriodic,
    forgetAnswers,
    secretRotation,
  ]
  return [
    createDeliveryWorker(services.delivery),
    createInboxWorker(app, {
      hooks: {
        calendar: calendarHook(app),
        replied: repliedHook(app),
        report: (tenant, mailed) => takeMailedReport(app, tenant, mailed),
      },
      open: services.mailboxes,
    }),
    createStatisticsWorker(app),
    createWebhookWorker(app),
    ...periodic.map((task) => createPeriodicWorker(app, task)),
  ]
}

const forgetOldAnswers = forgetByAccount(listOldAnswersAcrossAccounts, deleteOldAnswers)

export const forgetAnswers: PeriodicTask = {
  name: 'idempotency.forget_expired',
  everyMs: hourMs,
  async run({ db }, now) {
    // Repeats until none is left: a key may have stored 60 responses per minute since the last run.
    for (let gone = expiredAnswersMax; gone === expiredAnswersMax;)
      gone = await forgetOldAnswers(db, now, expiredAnswersMax)
  },
}

/** Runs while the encryption key is being changed, that is, while several keys are configured. */
export const secretRotation: PeriodicTask = {
  name: 'secrets.rotate',
  everyMs: rotateSecretsEveryMs,
  async run(app) {
    if (app.config.encryptionKeys.length < 2) return
    const { unreadable } = await rotateSecrets(app)
    if (unreadable > 0) app.log.error({ event: 'secrets.unreadable', count: unreadable })
  },
}
