import type { App } from '../../platform/app.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { ProtectionNotice } from '../../platform/http/route.ts'
import { newId } from '../../platform/ids.ts'
import { enqueueJob } from '../../platform/jobs/jobs.shell.ts'

export const mailNoticeKind = 'team.mail_notice'

/** Call it in the transaction of the change. The notice is mailed after the commit if system mail is configured. */
export async function mailNotice(
  { config }: Pick<App, 'config' | 'secrets'>,
  tx: Transaction,
  { accountId, userId, notice, now }: { accountId: string; userId: string; notice: ProtectionNotice; now: Date },
): Promise<void> {
  if (config.systemMail === null) return
  await enqueueJob(tx, {
    kind: mailNoticeKind,
    tenant: { accountId, environment: 'live' },
    clock: 'real',
    runAt: now,
    payload: { noticeId: newId('inv').replace('inv_', 'ntc_'), userId, notice, at: now.toISOString() },
  })
}
