import type { Command } from 'commander'
import { resumeAfterRestore } from '@overture/server/delivery/index.ts'
import { insertSendingHold } from '@overture/server/platform/db/history.sql.ts'
import { CommandError, show, type OutputOptions } from '../output.ts'
import { recordOperator } from './recorded.ts'
import { withApp } from './session.ts'

export function registerResume(program: Command): void {
  program
    .command('resume-after-restore')
    .description('Resume live mail after a failover or a restore')
    .option('--json', 'print the uncertain messages as JSON')
    .action(resume)
}

export function registerHold(program: Command): void {
  program
    .command('hold-sending')
    .description('Hold live mail until resume-after-restore')
    .option('--json', 'print only JSON')
    .action(hold)
}

async function resume(options: OutputOptions): Promise<void> {
  await withApp(async ({ app }) => {
    const inDoubt = await app.db.transaction(async (tx) => {
      const uncertain = await resumeAfterRestore(tx, app.clock.now())
      if (uncertain !== null) await recordOperator(app, tx, { accountId: '', action: 'sending.resume', targetId: null })
      return uncertain
    })
    if (inDoubt === null) throw new CommandError('Live mail is not held.')
    show({ inDoubt }, `Live mail is resumed. ${inDoubt} messages that were in flight become uncertain.`, options)
  })
}

async function hold(options: OutputOptions): Promise<void> {
  await withApp(async ({ app }) => {
    await app.db.transaction(async (tx) => {
      const hold = { since: app.clock.now().toISOString(), was: null, is: null }
      if (!(await insertSendingHold(tx, hold))) return
      await recordOperator(app, tx, { accountId: '', action: 'sending.hold', targetId: null })
    })
    show({ held: true }, 'Live mail is held until `overture resume-after-restore`.', options)
  })
}
