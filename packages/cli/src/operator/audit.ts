import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import type { Command } from 'commander'
import { notFound } from '@overture/contract/errors.ts'
import { findAccount } from '@overture/server/accounts/index.ts'
import {
  exportLines,
  listAuditedAccountIdsAcrossAccounts,
  sealEntries,
  verifyAuditLog,
} from '@overture/server/audit/index.ts'
import { auditFormatOption } from '../options.ts'
import { show, type OutputOptions } from '../output.ts'
import { recordOperator } from './recorded.ts'
import { withApp } from './session.ts'

interface ExportOptions {
  account?: string
  format: 'csv' | 'ndjson'
}

export function registerAudit(program: Command): void {
  const audit = program.command('audit').description('The audit log')
  audit
    .command('verify')
    .description('Verifies the chain of seals and reports the first changed entry. The exit code is 1 if there is one')
    .option('--account <id>', 'only this account')
    .option('--json', 'print the result as JSON')
    .action(verify)
  audit
    .command('export')
    .description('Prints the audit log of an account, newest first')
    .option('--account <id>', 'the account (default: entries without an account, such as most acts of the operator)')
    .option('--format <format>', 'csv or ndjson', auditFormatOption, 'csv')
    .action(exportLog)
}

async function verify(options: OutputOptions & { account?: string }): Promise<void> {
  await withApp(async ({ app }) => {
    const now = app.clock.now()
    await sealEntries(app, now)
    const accountIds =
      options.account === undefined ? await listAuditedAccountIdsAcrossAccounts(app.db) : [options.account]
    const results = []
    for (const accountId of accountIds) results.push(await verifyAuditLog(app.db, accountId, now))
    const lines = results.map(({ accountId, entries, seals, touched, unsealed, hash }) => {
      const name = accountId === '' ? '(no account)' : accountId
      if (touched !== null) return `${name}  ${touched.reason}: ${touched.id ?? `seal ${touched.seal}`}`
      if (unsealed.length > 0) return `${name}  never sealed: ${unsealed[0]}`
      return `${name}  ${entries} entries in ${seals} seals are unchanged, up to ${hash ?? 'none'}`
    })
    const ok = results.every(({ touched, unsealed }) => touched === null && unsealed.length === 0)
    show({ ok, results }, lines.join('\n') || 'The audit log is empty.', options)
    if (!ok) process.exitCode = 1
  })
}

async function exportLog({ account: accountId = '', format }: ExportOptions): Promise<void> {
  await withApp(async ({ app }) => {
    if (accountId !== '' && (await findAccount(app.db, accountId)) === null) throw notFound()
    await recordOperator(app, app.db, { accountId, action: 'audit.export', targetId: accountId })
    const lines = exportLines(app.db, accountId, { filter: {}, format })
    await pipeline(Readable.from(lines), process.stdout, { end: false })
  })
}
