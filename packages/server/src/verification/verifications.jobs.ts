import type { JobContext, JobHandler } from '../platform/jobs/job.ts'
import { listUnchecked } from './addresses.sql.ts'
import { checkAddresses } from './check-addresses.shell.ts'
import { checkMailboxes } from './check-mailboxes.shell.ts'
import type { VerificationTools } from './verification-tools.ts'
import { addLeadsOfCampaign, endOrContinue, storeBatch, verifyJobKind } from './verifications.commands.ts'
import { findVerification } from './verifications.sql.ts'

const batchMax = 500
/** Batches of one run. The job then starts again behind the other jobs. */
const batchesPerRun = 40

export function verificationJobs(tools: VerificationTools): JobHandler[] {
  return [
    {
      kind: verifyJobKind,
      maxAttempts: 20,
      lane: 'mail',
      run: (context, payload) => runVerification(context, tools, String(payload['id'])),
    },
  ]
}

async function runVerification(context: JobContext, tools: VerificationTools, id: string): Promise<void> {
  const { app, tenant, now, signal } = context
  if ((await findVerification(app.db, tenant, id))?.status !== 'running') return
  for (let more = true, pages = 0; more && pages < batchesPerRun; pages++)
    more = await app.db.transaction((tx) => addLeadsOfCampaign(tx, tenant, { id, now }))
  for (let batches = 0; batches < batchesPerRun; batches++) {
    const addresses = await listUnchecked(app.db, tenant, { verificationId: id, now, limit: batchMax })
    if (addresses.length === 0) break
    const { toAsk, ...batch } = await checkAddresses({ app, tenant, tools, now, signal }, addresses)
    // The queries of a process that stops end early. Their addresses are checked by the next run.
    signal.throwIfAborted()
    await app.db.transaction((tx) => storeBatch(tx, tenant, { id, batch, now, tools }))
    const config = app.config.verification
    if (config !== null) await checkMailboxes({ context, tools, config, verificationId: id }, toAsk)
  }
  await app.db.transaction((tx) => endOrContinue(tx, tenant, { id, now }))
}
