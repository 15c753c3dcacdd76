import { minuteMs } from '@overture/ground/time/spans.ts'
import { createHash, randomBytes } from 'node:crypto'
import { AppError, notFound } from '@overture/contract/errors.ts'
import type { OAuthProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { App } from '../../platform/app.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/admission.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { exchangeCode } from './oauth.client.ts'
import { asksFirst, wasTaken } from './consent.ts'
import { readState, signState, type State } from './oauth-state.ts'
import { deleteExpiredStates, findAccountName, insertUsedState } from './oauth-states.sql.ts'
import { authorizeUrl, providerNames, type TokenAnswer } from './oauth.ts'
import { findProviderRefusal, joinWords } from '../logins/provider-refusals.ts'
import { logClientRefused } from './client-refused.shell.ts'
import { convertSender, newLoginRefusal } from './convert.shell.ts'
import { recordSenderRecovered } from '../sender-states.commands.ts'
import { sealSecrets, unsealSecrets } from '../sender-secrets.shell.ts'
import type { Sender } from '../sending-account.ts'
import { updateSenderOrganization } from '../organizations.sql.ts'
import { updateMailboxesLost, updateSenderConnectionVersion } from '../reconnect.sql.ts'
import { createSender, readerNoticesMs } from '../sending-accounts.commands.ts'
import {
  findSender,
  findSenderByEmail,
  findSenderSecrets,
  lockSender,
  updateSenderSecrets,
} from '../sending-accounts.sql.ts'

export const stateLifeMs = 15 * minuteMs
const verifierPurpose = 'sender_oauth_verifier'
const simulatedCode = 'simulated'
const throughConnection =
  "This account logs in through the tenant connection of its organization. It can't be connected separately."

interface AuthorizeInput {
  provider: OAuthProvider
  email?: string
  fromName?: string
  sendingAccountId?: string
  returnPath?: string
}

/** Returns the URL at which the mailbox's owner agrees. In the test environment it leads straight back to us, without a provider. */
export async function startAuthorization(
  app: App,
  tenant: Tenant,
  input: AuthorizeInput & { caller: Pick<Caller, 'kind' | 'id'> },
) {
  const sender = input.sendingAccountId === undefined ? null : await findSender(app.db, tenant, input.sendingAccountId)
  if (input.sendingAccountId !== undefined && sender?.provider !== input.provider) throw notFound()
  return authorizationFor(app, tenant, sender, input)
}

/** Returns a link for the owner of a mailbox. `sender` is the account to connect again or to convert, or null for a new one. */
export function authorizationFor(
  app: App,
  tenant: Tenant,
  sender: Sender | null,
  input: Omit<AuthorizeInput, 'sendingAccountId'> & { caller: Pick<Caller, 'kind' | 'id'> },
) {
  if (sender !== null && sender.tenantConnectionId !== null)
    throw new AppError('CONFLICT', throughConnection, { currentStatus: sender.status, allowedActions: [] })
  const expiresAtMs = app.clock.now().getTime() + stateLifeMs
  const state: State = {
    tenant,
    provider: input.provider,
    sendingAccountId: sender?.id ?? '',
    email: sender?.email ?? input.email ?? '',
    fromName: input.fromName ?? '',
    nonce: randomBytes(18).toString('base64url'),
    expiresAtMs,
    sessionId: input.caller.kind === 'session' ? input.caller.id : '',
    keyId: input.caller.kind === 'key' ? input.caller.id : '',
    returnPath: input.returnPath ?? '',
  }
  return { authorizeUrl: buildFirstUrl(app, state), expiresAt: new Date(expiresAtMs).toISOString() }
}

// A signed-in person sees the account's name already. For a link of a program the first page names the account.
function buildFirstUrl(app: App, state: State): string {
  const signed = signState(app.secrets, state)
  if (state.tenant.environment === 'test') {
    const query = new URLSearchParams({ code: simulatedCode, state: signed })
    return `${buildRedirectUri(app, state.provider)}?${query.toString()}`
  }
  const atProvider = buildProviderUrl(app, state, signed)
  return state.sessionId === '' ? buildPageUrl(app, state.provider, 'start', signed) : atProvider
}

/** The URL of a page: `start` names the account, `go` redirects to the provider. */
export function buildPageUrl(app: App, provider: OAuthProvider, page: 'start' | 'go', signed: string): string {
  return `${buildRedirectUri(app, provider)}/${page}?${new URLSearchParams({ state: signed }).toString()}`
}

/** The provider's page that asks the mailbox's owner. */
export function buildProviderUrl(app: App, state: State, signed: string): string {
  const { provider, email, nonce } = state
  const { authorizationUrl, clientId } = app.config.oauth[provider]
  if (clientId === null) {
    throw new AppError('SERVICE_UNAVAILABLE', `Connecting ${provider} mailboxes is not configured on this server.`)
  }
  return authorizeUrl({
    provider,
    authorizationUrl,
    clientId,
    redirectUri: buildRedirectUri(app, provider),
    state: signed,
    codeChallenge: createHash('sha256').update(deriveVerifier(app, nonce)).digest('base64url'),
    email: email === '' ? null : email,
  })
}

/** The state of a link, or null if it is invalid or has expired. */
export function stateOfLink(app: App, signed: string): State | null {
  const state = readState(app.secrets, signed)
  return state !== null && state.expiresAtMs >= app.clock.now().getTime() ? state : null
}

/** The name of the account. Empty if the account was deleted. */
export function accountOfLink(app: App, { tenant }: State): Promise<string> {
  return findAccountName(app.db, tenant)
}

type ConnectionResult = { kind: 'connected'; email: string; accountName: string } | { kind: 'failed'; message: string }
/** `returnPath` comes from the signed state. Null if none was requested or the state is invalid. */
type CallbackResult = ConnectionResult & { returnPath: string | null }

export interface CallbackWords {
  error: string | null
  errorDescription: string | null
}

interface Callback extends CallbackWords {
  provider: string
  state: string
  code: string | null
  sessionId: string | null
  /** Returns a cookie of the browser by its name. */
  cookie: (name: string) => string | null
}

/** Functions of other slices that the end of an authorization needs. */
interface Listeners {
  changed: (tx: Transaction, tenant: Tenant, now: Date) => Promise<void>
  keyMayConnect: (app: App, accountId: string, keyId: string) => Promise<boolean>
}

/** Handles the redirect from the provider. Fetches tokens first, then stores them in one transaction. */
export async function finishAuthorization(app: App, callback: Callback, listeners: Listeners): Promise<CallbackResult> {
  const state = readState(app.secrets, callback.state)
  if (state === null || state.provider !== callback.provider)
    return { kind: 'failed', message: 'This link is not valid.', returnPath: null }
  const result = await connectAsAgreed(app, state, { callback, ...listeners })
  return { ...result, returnPath: state.returnPath === '' ? null : state.returnPath }
}

async function connectAsAgreed(
  app: App,
  state: State,
  { callback, changed, keyMayConnect }: Listeners & { callback: Callback },
): Promise<ConnectionResult> {
  if (state.expiresAtMs < app.clock.now().getTime())
    return { kind: 'failed', message: 'This link has expired. Start again.' }
  if (state.sessionId !== '' && state.sessionId !== callback.sessionId)
    return {
      kind: 'failed',
      message:
        'This was started by another person or in another browser. Start again in the browser where you are signed in.',
    }
  if (state.sessionId === '' && !(await keyMayConnect(app, state.tenant.accountId, state.keyId)))
    return { kind: 'failed', message: 'The creator of this link was signed out or may no longer connect mailboxes.' }
  if (asksFirst(state) && !wasTaken(app.secrets, state, 'agreed', callback.cookie))
    return {
      kind: 'failed',
      message: 'First open the link that you received in this browser. It names the account of the mailbox.',
    }
  if (callback.error !== null || callback.code === null)
    return { kind: 'failed', message: declinedMessage(state.provider, callback) }
  const answer = await tokensFor(app, state, callback.code)
  if (answer.kind !== 'token') {
    if (answer.kind === 'client_refused') logClientRefused(app, state.provider, answer.code)
    return { kind: 'failed', message: `${providerNames[state.provider]} granted no access. ${answer.message}` }
  }
  const email = answer.email ?? state.email
  if (email === '')
    return { kind: 'failed', message: 'The provider returned no mailbox address. Start again with the address.' }
  if (state.sendingAccountId !== '' && email.toLowerCase() !== state.email.toLowerCase()) {
    return { kind: 'failed', message: `You signed in as ${email}. Start again with ${state.email}.` }
  }
  const refused = await newLoginRefusal(app, state, answer.accessToken)
  if (refused !== null) return { kind: 'failed', message: refused }
  const now = await app.clocks.now(app.db, state.tenant)
  return app.db.transaction(async (tx) => {
    if (!(await isFirstUse(app, tx, state)))
      return { kind: 'failed', message: 'This link was already used. Start again.' }
    const result = await storeMailbox(app, tx, state, { email, answer, now })
    await changed(tx, state.tenant, now)
    return result
  })
}

export function declinedMessage(provider: OAuthProvider, callback: CallbackWords): string {
  const name = providerNames[provider]
  const error = callback.error ?? 'no code'
  const description = callback.errorDescription
  const reason =
    findProviderRefusal(provider, { error, description })?.message ?? `${joinWords(error, description)} Start again.`
  return `${name} did not agree to the connection. ${reason}`
}

/** Whether a signed link is used for the first time. Its use is stored until the link would have expired. */
export async function isFirstUse(
  { clock }: App,
  tx: Transaction,
  { tenant, nonce, expiresAtMs }: Pick<State, 'tenant' | 'nonce' | 'expiresAtMs'>,
): Promise<boolean> {
  await deleteExpiredStates(tx, tenant, clock.now())
  return insertUsedState(tx, tenant, { nonce, expiresAt: new Date(expiresAtMs) })
}

/** Creates, renews or converts the sending account of a mailbox whose owner agreed. */
async function storeMailbox(
  app: App,
  tx: Transaction,
  state: State,
  connection: { email: string; answer: TokenAnswer & { kind: 'token' }; now: Date },
): Promise<ConnectionResult> {
  const { tenant, provider } = state
  const { email, answer, now } = connection
  let sender: Sender | null =
    state.sendingAccountId === ''
      ? await findSenderByEmail(tx, tenant, email)
      : await lockSender(tx, tenant, state.sendingAccountId)
  if (sender !== null && sender.tenantConnectionId !== null) return { kind: 'failed', message: throughConnection }
  const refreshToken = answer.refreshToken ?? undefined
  const converts = state.sendingAccountId !== '' && sender?.provider === 'smtp'
  if (sender !== null && sender.provider !== provider && !converts)
    return {
      kind: 'failed',
      message: `${email} is already connected with a password. Open the sending account and choose to log in without one.`,
    }
  if (refreshToken === undefined && (sender === null || converts))
    return { kind: 'failed', message: 'The provider granted no permanent access. Start again.' }
  if (sender !== null && converts) sender = await convertSender(app, tx, tenant, { sender, provider, now })
  if (sender === null) {
    const input = {
      email,
      provider,
      fromName: state.fromName === '' ? undefined : state.fromName,
      oauth: { refreshToken: refreshToken! },
    }
    sender = await createSender(app, tx, tenant, { input, now })
  }
  const secrets = unsealSecrets(app.secrets, tenant, sender.id, await findSenderSecrets(tx, tenant, sender.id))
  const sealed = sealSecrets(app.secrets, tenant, sender.id, {
    // A password that is no longer used is deleted.
    ...(converts ? {} : secrets),
    refreshToken: refreshToken ?? secrets.refreshToken,
    accessToken: answer.accessToken,
    accessTokenExpiresAt: app.clock.now().getTime() + answer.expiresInSeconds * 1000,
  })
  if (sealed !== null) await updateSenderSecrets(tx, tenant, sender.id, sealed)
  await updateSenderConnectionVersion(tx, tenant, sender.id)
  if (answer.organization !== null) await updateSenderOrganization(tx, tenant, sender.id, answer.organization)
  await updateMailboxesLost(tx, tenant, [sender.id], readerNoticesMs)
  await recordSenderRecovered(tx, tenant, sender.id, now)
  return { kind: 'connected', email: sender.email, accountName: await findAccountName(tx, tenant) }
}

async function tokensFor(app: App, state: State, code: string): Promise<TokenAnswer> {
  if (state.tenant.environment === 'test') {
    return {
      kind: 'token',
      accessToken: 'simulated',
      expiresInSeconds: 3600,
      refreshToken: 'simulated',
      email: state.email || `owner@${state.provider}.test`,
      organization: null,
    }
  }
  return exchangeCode(
    { provider: state.provider, config: app.config.oauth[state.provider] },
    {
      code,
      redirectUri: buildRedirectUri(app, state.provider),
      codeVerifier: deriveVerifier(app, state.nonce),
    },
  )
}

/** The PKCE verifier is derived from the nonce under our own key, so that nothing is stored between the two requests. */
function deriveVerifier(app: App, nonce: string): string {
  return app.secrets.signToken(verifierPurpose, [nonce])
}

export function buildRedirectUri(app: App, provider: OAuthProvider): string {
  return `${app.config.publicUrl}/hooks/oauth/${provider}`
}
