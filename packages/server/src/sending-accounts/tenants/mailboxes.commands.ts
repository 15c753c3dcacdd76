import { AppError, notFound } from '@overture/contract/errors.ts'
import {
  type TenantMailbox,
  type TenantMailboxResult,
  type TenantMailboxResults,
} from '@overture/contract/sending-accounts/tenant-connections.ts'
import type { OAuthProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { App } from '../../platform/app.ts'
import { recordAct } from '../../platform/audit/acts.commands.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { transactionActor } from '../../platform/events/actors.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { createSender } from '../sending-accounts.commands.ts'
import { findAccountTimezone } from '../sending-accounts.sql.ts'
import { readMailbox } from './mailbox-items.ts'
import { lockTenantConnection } from './tenant-connections.sql.ts'

/** Creates a sending account per mailbox. One bad item never fails the call. */
export async function connectMailboxes(
  app: App,
  tx: Transaction,
  tenant: Tenant,
  { id, mailboxes, now }: { id: string; mailboxes: readonly unknown[]; now: Date },
): Promise<TenantMailboxResults> {
  const connection = await lockTenantConnection(tx, tenant, id)
  if (connection === null) throw notFound()
  assertApplication(connection.access)
  const timezone = await findAccountTimezone(tx, tenant)
  const results: TenantMailboxResult[] = []
  for (const [index, item] of mailboxes.entries()) {
    const read = readMailbox(item, index)
    results.push(
      read.kind === 'invalid'
        ? read.result
        : await connectOne(app, tx, tenant, {
            mailbox: read.mailbox,
            index,
            timezone,
            connection: { id, provider: connection.provider },
            now,
          }),
    )
  }
  const count = (outcome: TenantMailboxResult['outcome']) => results.filter((one) => one.outcome === outcome).length
  return { connected: count('connected'), duplicates: count('duplicate'), invalid: count('invalid'), results }
}

/** Throws 409 for a connection that only allows people to connect their own mailboxes. */
export function assertApplication(access: 'application' | 'consent'): void {
  if (access === 'application') return
  throw new AppError(
    'CONFLICT',
    'This connection has no own login. People of the organization connect their mailboxes themselves.',
    { currentStatus: 'consent', allowedActions: ['delete'] },
  )
}

interface NewMailbox {
  mailbox: TenantMailbox
  index: number
  timezone: string
  connection: { id: string; provider: OAuthProvider }
  now: Date
}

async function connectOne(
  app: App,
  tx: Transaction,
  tenant: Tenant,
  { mailbox, index, timezone, connection, now }: NewMailbox,
): Promise<TenantMailboxResult> {
  const result = { index, email: mailbox.email, sendingAccountId: null, field: null, message: null }
  try {
    const input = { ...mailbox, provider: connection.provider, timezone }
    const sender = await createSender(app, tx, tenant, { input, tenantConnectionId: connection.id, now })
    const target = { type: 'sending-accounts', id: sender.id }
    await recordAct(tx, { ...tenant, actor: transactionActor(tx), action: 'createSendingAccount', target })
    return { ...result, outcome: 'connected', sendingAccountId: sender.id }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { sendingAccountId, issues = [] } = error.details ?? {}
    if (sendingAccountId !== undefined)
      return { ...result, outcome: 'duplicate', sendingAccountId, message: error.message }
    const [issue] = issues
    if (issue === undefined) throw error
    return { ...result, outcome: 'invalid', field: issue.path, message: issue.message }
  }
}
