import type { UpdateSendingAccountInput } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { Protection } from '../platform/http/route.ts'
import { likeAnywhere } from '@overture/ground/text/like.ts'
import { notFound } from '@overture/contract/errors.ts'
import { sendingAccountEndpoints } from '@overture/contract/sending-accounts/sending-account-endpoints.ts'
import type { SendingAccount } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { App } from '../platform/app.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import { answerList, byId } from '../platform/http/paging.ts'
import { after, command, phased, query, type Route } from '../platform/http/route.ts'
import type { ClientFacts } from '../platform/http/client-facts.ts'
import type { Tenant } from '../platform/tenant.ts'
import { checkHealth } from './health.client.ts'
import { discoverServers } from './discovery/discover.client.ts'
import { startAuthorization } from './oauth/oauth.shell.ts'
import { repairsRefusedLogin } from './sender-servers.ts'
import { startConversion } from './oauth/start-conversion.shell.ts'
import { pauseOrResume } from './sender-pace.commands.ts'
import { recordSenderFailure, recordSenderRecovered } from './sender-states.commands.ts'
import { createSender, present, removeSender, updateSender } from './sending-accounts.commands.ts'
import { findSenderWorked } from './sender-users.sql.ts'
import type { Sender } from './sending-account.ts'
import { countSenders, findSender, listSendersPage } from './sending-accounts.sql.ts'
import { tenantConnectionRoutes } from './tenants/tenant-connections.routes.ts'
import { verifySender } from './verify.client.ts'

export interface SendingAccountsTools {
  /** Finds the session with which a browser is signed in. */
  findSession?: (app: App, client: ClientFacts) => Promise<string | null>
  /** Asks a person for a proof of identity again. Without it no person can set another password of a mailbox. */
  protection?: Protection
  /** Whether a key that started to connect a mailbox could still start it now. Without this function no link of a key is accepted. */
  keyMayConnect?: (app: App, accountId: string, keyId: string) => Promise<boolean>
  /** Called in the same transaction when a sender can do more or less than before. Wakes the planner. */
  changed?: (tx: Transaction, tenant: Tenant, now: Date) => Promise<void>
  /** Called when a sender may not send any more, to close connections to its server. */
  disconnect?: (tenant: Tenant, id: string) => void
}

const nothing = (): Promise<void> => Promise.resolve()

export function sendingAccountsRoutes(tools: SendingAccountsTools = {}): Route[] {
  const changed = tools.changed ?? nothing
  return [
    ...readingRoutes(),
    ...changingRoutes(tools, changed),
    ...connectingRoutes(changed),
    ...tenantConnectionRoutes(changed, tools.protection ?? noProtection),
  ]
}

type ChangeListener = NonNullable<SendingAccountsTools['changed']>

function readingRoutes(): Route[] {
  return [
    query(sendingAccountEndpoints.listSendingAccounts, async ({ app, tenant, now }, { query: listQuery }) => {
      const pattern = listQuery.q === undefined || listQuery.q === '' ? null : likeAnywhere(listQuery.q.toLowerCase())
      const filter = {
        status: listQuery.status ?? null,
        provider: listQuery.provider ?? null,
        pattern,
        tagId: listQuery.tagId ?? null,
      }
      return answerList(listQuery, {
        key: byId,
        list: (range) => listSendersPage(app.db, tenant, filter, range),
        count: () => countSenders(app.db, tenant, filter),
        present: (rows) => present(app.db, tenant, rows, now),
      })
    }),
    query(sendingAccountEndpoints.getSendingAccount, ({ app, tenant, now }, { params }) =>
      show(app.db, tenant, params.id, now),
    ),
    query(sendingAccountEndpoints.getSendingAccountHealth, async ({ app, tenant }, { params }) => {
      const sender = await findSender(app.db, tenant, params.id)
      if (sender === null) throw notFound()
      return checkHealth(app, tenant, sender)
    }),
  ]
}

function changingRoutes(tools: SendingAccountsTools, changed: ChangeListener): Route[] {
  return [
    command(sendingAccountEndpoints.createSendingAccount, async ({ app, tenant, now }, { body }, tx) => {
      const sender = await createSender(app, tx, tenant, { input: body, now })
      return show(tx, tenant, sender.id, now)
    }),
    after(
      sendingAccountEndpoints.updateSendingAccount,
      async (context, { params, body }) => {
        if (!setsPassword(body)) return
        const sender = await findSender(context.app.db, context.tenant, params.id)
        if (sender !== null && (await repairsSender(context.app.db, context.tenant, sender, body))) return
        await (tools.protection ?? noProtection).confirm(context, body.confirm)
      },
      command(sendingAccountEndpoints.updateSendingAccount, async (context, { params, body: sent }, tx) => {
        const { confirm: _proof, ...body } = sent
        const { app, tenant, now } = context
        context.was(await show(tx, tenant, params.id, now))
        const updated = await updateSender(app, tx, tenant, { id: params.id, input: body, now })
        await changed(tx, tenant, now)
        if (setsPassword(body)) await tools.protection?.notify(context, tx, 'mailbox_password_changed')
        return updated
      }),
    ),
    command(sendingAccountEndpoints.deleteSendingAccount, async ({ tenant, now }, { params, query: listQuery }, tx) => {
      await removeSender(tx, tenant, params.id, listQuery.replaceWith)
      await changed(tx, tenant, now)
      tx.afterCommit(() => tools.disconnect?.(tenant, params.id))
      return { id: params.id, deleted: true as const }
    }),
    ...(['pause', 'resume'] as const).map((action) =>
      command(sendingAccountEndpoints[`${action}SendingAccount`], async ({ tenant, now }, { params }, tx) => {
        await pauseOrResume(tx, tenant, params.id, { action, now })
        await changed(tx, tenant, now)
        if (action === 'pause') tx.afterCommit(() => tools.disconnect?.(tenant, params.id))
        return show(tx, tenant, params.id, now)
      }),
    ),
  ]
}

function connectingRoutes(changed: ChangeListener): Route[] {
  return [
    phased(sendingAccountEndpoints.verifySendingAccount, async ({ app, tenant, now }, { params }, answer) => {
      const sender = await findSender(app.db, tenant, params.id)
      if (sender === null) throw notFound()
      const { checks, failure } = await verifySender(app, tenant, sender)
      return answer(async (tx) => {
        if (failure === null) await recordSenderRecovered(tx, tenant, sender.id, now)
        else await recordSenderFailure(tx, tenant, sender.id, { ...failure, now })
        await changed(tx, tenant, now)
        return { ok: failure === null && checks.every((check) => check.ok), checks }
      })
    }),
    phased(sendingAccountEndpoints.discoverSendingAccount, async ({ app, tenant }, { body }, answer) => {
      const found = await discoverServers(app, tenant, body.email)
      return answer(() => Promise.resolve(found))
    }),
    command(sendingAccountEndpoints.authorizeSendingAccount, ({ app, tenant, caller }, { body }) =>
      startAuthorization(app, tenant, { ...body, caller }),
    ),
    command(sendingAccountEndpoints.convertSendingAccount, ({ app, tenant, caller }, { params, body }) =>
      startConversion(app, tenant, { id: params.id, provider: body.provider, returnPath: body.returnPath, caller }),
    ),
  ]
}

const confirmKeysOnly: Protection['confirm'] = ({ caller }) =>
  caller.kind === 'key' ? Promise.resolve() : Promise.reject(new Error('There is no page to confirm on.'))

const noProtection: Protection = {
  notify: () => Promise.resolve(),
  confirm: confirmKeysOnly,
  confirmOldSession: confirmKeysOnly,
}

function setsPassword({ smtp, imap }: UpdateSendingAccountInput): boolean {
  return smtp?.password !== undefined || imap?.password !== undefined
}

/**
 * Whether another password can't replace a working login: the server refuses the stored one and stays the same, or the account
 * fails and has never worked. The second is the same as connecting a new account, which needs no proof.
 */
async function repairsSender(
  db: Executor,
  tenant: Tenant,
  sender: Sender,
  body: UpdateSendingAccountInput,
): Promise<boolean> {
  if (repairsRefusedLogin(sender, body)) return true
  const fails = sender.status === 'auth_required' || sender.status === 'connection_error'
  return fails && !(await findSenderWorked(db, tenant, sender.id))
}

async function show(db: Executor, tenant: Tenant, id: string, now: Date): Promise<SendingAccount> {
  const sender = await findSender(db, tenant, id)
  if (sender === null) throw notFound()
  return (await present(db, tenant, [sender], now))[0] as SendingAccount
}
