import type { Command } from 'commander'
import { repairReturned } from '@overture/server/inbox/index.ts'
import { operator } from '@overture/server/platform/audit/entry.ts'
import type { Transaction } from '@overture/server/platform/db/database.ts'
import { actAs } from '@overture/server/platform/events/actors.ts'
import { show, type OutputOptions } from '../output.ts'
import { recordOperator } from './recorded.ts'
import { withApp } from './session.ts'

export function registerRepair(program: Command): void {
  program
    .command('repair')
    .description('Repair data that an earlier release stored')
    .command('returned')
    .description("Turn bounces that were the sender's fault into returned messages, and restore their leads")
    .option('--dry-run', 'only count the messages and list the first ones')
    .option('--json', 'print only JSON')
    .action(returned)
}

async function returned({ dryRun = false, ...options }: OutputOptions & { dryRun?: boolean }): Promise<void> {
  await withApp(async ({ app }) => {
    const accounts = new Set<string>()
    const recorded = async (tx: Transaction, accountId: string): Promise<void> => {
      if (accounts.has(accountId)) return actAs(tx, operator)
      accounts.add(accountId)
      await recordOperator(app, tx, { accountId, action: 'repair.returned', targetId: null })
    }
    const progress = ({ checked, returned: count }: { checked: number; returned: number }): void => {
      if (options.json !== true) process.stderr.write(`${checked} bounces checked, ${count} returned\n`)
    }
    const done = await repairReturned(app, { dryRun, progress, recorded })
    const lines = dryRun ? done.first.map(describe) : []
    const sum = dryRun
      ? `${done.returned} of ${done.checked} bounces are the sender's fault. Nothing was changed.`
      : `${done.returned} of ${done.checked} bounces were the sender's fault. They are now returned messages.`
    show({ dryRun, ...done }, [...lines, sum].join('\n'), options)
  })
}

function describe(found: Awaited<ReturnType<typeof repairReturned>>['first'][number]): string {
  const { accountId, environment, id, campaignId, leadId, because, code } = found
  return [accountId, environment, id, campaignId ?? '-', leadId ?? '-', because, code ?? '-'].join('  ')
}
