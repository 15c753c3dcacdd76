import { AppError, notFound, invalid } from '@overture/contract/errors.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import {
  senderActions,
  senderReadOnlyFields,
  type CreateSendingAccountInput,
  type SenderProvider,
  type SendingAccount,
  type UpdateSendingAccountInput,
} from '@overture/contract/sending-accounts/sending-accounts.ts'
import { dayIn } from '@overture/ground/time/time-zone.ts'
import type { App } from '../platform/app.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import { isUniqueViolation } from '../platform/db/errors.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import { toSendingAccount } from './present-sender.ts'
import { insertMailbox, updateMailboxesLost } from './reconnect.sql.ts'
import { sealSecrets, unsealSecrets } from './sender-secrets.shell.ts'
import {
  countInFlight,
  listSenderUsers,
  replaceInCampaigns,
  replaceInLeads,
  replaceInMessages,
  replaceInThreads,
} from './sender-users.sql.ts'
import { changedSender, firstReadingMs, newSender, type ProviderServers, type Sender } from './sending-account.ts'
import {
  deleteSender,
  findAccountTimezone,
  findSender,
  findSenderByEmail,
  findSenderSecrets,
  insertSender,
  listSentOn,
  lockSender,
  updateSenderSettings,
} from './sending-accounts.sql.ts'

const usersNamedMax = 50
/** Longer than a reader needs to notice that its mailbox was taken away. */
export const readerNoticesMs = 15_000

interface NewSender {
  input: CreateSendingAccountInput
  /** The connection through which the account logs in. */
  tenantConnectionId?: string | null
  now: Date
}

/** Makes a sender. Throws 409 if the address is taken and 400 with every issue. */
export async function createSender(
  app: App,
  tx: Transaction,
  tenant: Tenant,
  { input, tenantConnectionId = null, now }: NewSender,
): Promise<Sender> {
  const made = newSender(input, {
    environment: tenant.environment,
    accountTimezone: input.timezone ?? (await findAccountTimezone(tx, tenant)),
    providerServers: providerServers(app, input.provider),
    tenantConnectionId,
    now,
  })
  await assertEmailFree(tx, tenant, made.settings.email, null)
  const id = newId('snd')
  const sender = await insertSender(tx, tenant, {
    ...made.settings,
    id,
    provider: input.provider,
    status: made.status,
    statusReason: made.statusReason,
    secrets: sealSecrets(app.secrets, tenant, id, made.secrets),
    tenantConnectionId,
    now,
  })
  if (sender === null) {
    await assertEmailFree(tx, tenant, made.settings.email, null)
    throw addressTaken()
  }
  await insertMailbox(tx, tenant, id, new Date(now.getTime() - firstReadingMs))
  return sender
}

/** Merges the request into a sender. Throws 404, 400 (also for a changed read-only field) and 409 for an address that is taken. */
export async function updateSender(
  app: App,
  tx: Transaction,
  tenant: Tenant,
  update: { id: string; input: UpdateSendingAccountInput; now: Date },
): Promise<SendingAccount> {
  const { id, input, now } = update
  const current = await lockSender(tx, tenant, id)
  if (current === null) throw notFound()
  const shown = await present(tx, tenant, [current], now)
  const issues = changedReadOnly({ ...shown[0] }, input, senderReadOnlyFields)
  if (issues.length > 0) throw invalid(...issues)
  const secrets = unsealSecrets(app.secrets, tenant, id, await findSenderSecrets(tx, tenant, id))
  const changed = changedSender(current, secrets, input, now)
  await assertEmailFree(tx, tenant, changed.settings.email, id)
  const updated = await taken(() =>
    updateSenderSettings(tx, tenant, {
      ...changed.settings,
      id,
      secrets: sealSecrets(app.secrets, tenant, id, changed.secrets),
      reconnects: changed.reconnects,
      now,
    }),
  )
  if (changed.reconnects) await updateMailboxesLost(tx, tenant, [id], readerNoticesMs)
  await insertMailbox(tx, tenant, id, new Date(now.getTime() - firstReadingMs))
  return (await present(tx, tenant, [updated], now))[0] as SendingAccount
}

/** Deletes a sender. Throws 404, or 409 with the campaigns and conversations that use it, unless `replaceWith` takes them over. */
export async function removeSender(
  tx: Transaction,
  tenant: Tenant,
  id: string,
  replaceWith: string | undefined,
): Promise<void> {
  const sender = await lockSender(tx, tenant, id)
  if (sender === null) throw notFound()
  if (replaceWith !== undefined) await assertReplacement(tx, tenant, id, replaceWith)
  const inFlight = await countInFlight(tx, tenant, id)
  const users = replaceWith === undefined ? await listSenderUsers(tx, tenant, id, usersNamedMax) : []
  const blockers = users.map((user) => ({
    code: user.kind === 'campaign' ? 'used_by_campaign' : 'used_by_conversation',
    message:
      user.kind === 'campaign'
        ? `The campaign "${user.name}" sends from it.`
        : `The conversation "${user.name}" is open.`,
    ref: user.id as string | null,
  }))
  if (inFlight > 0) {
    blockers.push({
      code: 'messages_in_flight',
      message: `${inFlight} messages are being sent. Pause the sending account and try again in a minute.`,
      ref: null,
    })
  }
  if (blockers.length > 0) {
    throw new AppError('CONFLICT', 'This sending account is in use.', {
      currentStatus: sender.status,
      allowedActions: senderActions[sender.status],
      blockers,
      users,
    })
  }
  if (replaceWith !== undefined) {
    await replaceInCampaigns(tx, tenant, id, replaceWith)
    await replaceInLeads(tx, tenant, id, replaceWith)
    await replaceInMessages(tx, tenant, id, replaceWith)
    await replaceInThreads(tx, tenant, id, replaceWith)
  }
  await deleteSender(tx, tenant, id)
}

/** Shows senders as in the API, with the number of messages that each has sent today in its own time zone. */
export async function present(
  db: Executor,
  tenant: Tenant,
  senders: readonly Sender[],
  now: Date,
): Promise<SendingAccount[]> {
  const today = senders.map(({ id, timezone }) => ({ id, day: dayIn(timezone, now) }))
  const paced = senders.flatMap(({ id, pace }) => (pace === null ? [] : [{ id, day: pace.day }]))
  const sent = await listSentOn(db, tenant, today)
  const used = paced.length === 0 ? sent : await listSentOn(db, tenant, paced)
  return senders.map((sender) => {
    const { id } = sender
    return toSendingAccount(sender, { sentToday: sent.get(id) ?? 0, usedThen: used.get(id) ?? 0, now })
  })
}

/** The configured servers of Google or Microsoft. */
function providerServers(app: App, provider: SenderProvider): ProviderServers | null {
  if (provider !== 'google' && provider !== 'microsoft') return null
  const { smtp, imap } = app.config.oauth[provider]
  return { smtp, imap }
}

async function assertEmailFree(tx: Executor, tenant: Tenant, email: string, ownId: string | null): Promise<void> {
  const other = await findSenderByEmail(tx, tenant, email)
  if (other === null || other.id === ownId) return
  throw new AppError('CONFLICT', 'A sending account with this address already exists.', {
    currentStatus: other.status,
    allowedActions: senderActions[other.status],
    sendingAccountId: other.id,
  })
}

async function assertReplacement(tx: Executor, tenant: Tenant, id: string, replaceWith: string): Promise<void> {
  if (replaceWith === id)
    throw invalid({ path: 'replaceWith', rule: 'other', message: 'Choose another sending account.' })
  if ((await findSender(tx, tenant, replaceWith)) === null) throw notFound()
}

async function taken<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    // The second of two concurrent requests with one address fails here.
    if (!isUniqueViolation(error)) throw error
    throw addressTaken()
  }
}

function addressTaken(): AppError {
  return new AppError('CONFLICT', 'A sending account with this address already exists.', {
    currentStatus: 'address_taken',
    allowedActions: [],
  })
}
