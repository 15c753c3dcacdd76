import { randomUUID } from 'node:crypto'
import { minuteMs } from '@overture/ground/time/spans.ts'
import type { App } from '../../platform/app.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { askConnectionToken } from '../oauth/oauth.client.ts'
import type { ConnectionAnswer } from '../oauth/oauth.ts'
import type { ConnectionLogin } from './connection-login.ts'
import { forgetConnectionRefused, logConnectionRefused } from './connection-refused.shell.ts'
import { unsealLogin } from './connection-secrets.shell.ts'
import { findConnectionSecrets } from './tenant-connections.sql.ts'
import { tokenRequest } from './token-requests.ts'

// An access token is renewed this long before it expires, so that it is valid during the whole login.
const tokenSlackMs = 2 * minuteMs
/** A refused login is tried again after this time, or after a change of the connection. */
const refusedMs = minuteMs
/** A token that a mail server refused is renewed if it is older than this. */
const youngMs = minuteMs
const heldMax = 10_000

interface HeldAnswer {
  answer: Exclude<ConnectionAnswer, { kind: 'unavailable' }>
  /** The version of the connection that the request used. */
  version: number
  askedAtMs: number
  untilMs: number
}

interface Tokens {
  /** Responses by mailbox (Google) or by connection (Microsoft), oldest first. */
  held: Map<string, HeldAnswer>
  running: Map<string, Promise<AccessToken>>
}

// Each request has its own App, so the configuration is the key.
const tokensByConfig = new WeakMap<App['config'], Tokens>()

type AccessToken = { kind: 'token'; accessToken: string } | { kind: 'auth_required' | 'unavailable'; message: string }

interface ConnectedMailbox {
  connectionId: string
  provider: ConnectionLogin['provider']
  /** The user of the login. */
  mailbox: string
}

/**
 * Returns an access token for a mailbox from the connection of its organization. The token is kept in memory until shortly
 * before it expires, and one request runs at a time per token. Must not run inside a transaction.
 */
export async function connectionToken(app: App, tenant: Tenant, mailbox: ConnectedMailbox): Promise<AccessToken> {
  const tokens = tokensByConfig.get(app.config) ?? { held: new Map(), running: new Map() }
  tokensByConfig.set(app.config, tokens)
  const key = mailboxKey(tenant, mailbox)
  const running = tokens.running.get(key)
  if (running !== undefined) return running
  const started = heldOrRenewed(app, tenant, { ...mailbox, tokens, key }).finally(() => tokens.running.delete(key))
  tokens.running.set(key, started)
  return started
}

async function heldOrRenewed(
  app: App,
  tenant: Tenant,
  { tokens, key, ...mailbox }: ConnectedMailbox & { tokens: Tokens; key: string },
): Promise<AccessToken> {
  const row = await findConnectionSecrets(app.db, tenant, mailbox.connectionId)
  if (row === null) return { kind: 'auth_required', message: 'The tenant connection of this account was deleted.' }
  const { secrets, version } = row
  const held = tokens.held.get(key)
  const askedAtMs = app.clock.now().getTime()
  if (held !== undefined && held.version === version && held.untilMs > askedAtMs) return toToken(held.answer)
  const login = unsealLogin(app.secrets, tenant, mailbox.connectionId, secrets)
  const answer = await loginToken(app, login, mailbox.mailbox)
  if (answer.kind === 'unavailable') return answer
  const lifeMs = answer.kind === 'token' ? answer.expiresInSeconds * 1000 - tokenSlackMs : refusedMs
  hold(tokens, key, { answer, version, askedAtMs, untilMs: askedAtMs + lifeMs })
  noteOutcome(app, tenant, mailbox, answer)
  return toToken(answer)
}

/**
 * Drops the cached token of a mailbox that a mail server refused, unless the token is young. Returns whether there was one: an
 * administrator may have allowed more after it was issued.
 */
export function dropToken(app: App, tenant: Tenant, mailbox: ConnectedMailbox): boolean {
  const held = tokensByConfig.get(app.config)?.held
  const key = mailboxKey(tenant, mailbox)
  const token = held?.get(key)
  if (token === undefined || app.clock.now().getTime() - token.askedAtMs < youngMs) return false
  return held?.delete(key) === true
}

/** Requests a new token from the provider, ignoring the cached one. */
export function loginToken(app: App, login: ConnectionLogin, mailbox: string): Promise<ConnectionAnswer> {
  const { microsoft, google } = app.config.oauth
  const request = tokenRequest(login, {
    urls: { microsoft: microsoft.authorityUrl, google: google.tokenUrl },
    mailbox,
    nowMs: app.clock.now().getTime(),
    assertionId: randomUUID(),
  })
  return askConnectionToken(login.provider, request)
}

function noteOutcome(app: App, tenant: Tenant, mailbox: ConnectedMailbox, answer: HeldAnswer['answer']): void {
  if (answer.kind === 'token') forgetConnectionRefused(app, tenant, mailbox.connectionId)
  else if (!answer.mailbox) logConnectionRefused(app, tenant, { ...mailbox, code: answer.code })
}

function hold({ held }: Tokens, key: string, answer: HeldAnswer): void {
  held.delete(key)
  held.set(key, answer)
  if (held.size <= heldMax) return
  for (const oldest of held.keys()) {
    held.delete(oldest)
    return
  }
}

function toToken(answer: HeldAnswer['answer']): AccessToken {
  return answer.kind === 'token'
    ? { kind: 'token', accessToken: answer.accessToken }
    : { kind: 'auth_required', message: answer.message }
}

function mailboxKey(tenant: Tenant, { connectionId, provider, mailbox }: ConnectedMailbox): string {
  const connection = `${tenant.accountId}/${tenant.environment}/${connectionId}`
  return provider === 'google' ? `${connection}/${mailbox}` : connection
}
