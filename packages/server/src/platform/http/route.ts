import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Confirmation } from '@overture/contract/team/confirmation.ts'
import type { Endpoint, PathParams } from '@overture/contract/endpoint.ts'
import type { AuditChange } from '@overture/contract/team/audit.ts'
import type { ValidationIssue } from '@overture/contract/errors.ts'
import type { Transaction } from '../db/database.ts'
import type { App } from '../app.ts'
import type { Tenant } from '../tenant.ts'
import type { Caller } from './admission.ts'
import type { ClientFacts } from './client-facts.ts'
import type { PageQuery } from './paging.ts'
import type { Upload } from './upload.ts'

export interface RequestContext {
  app: App
  tenant: Tenant
  caller: Caller
  client: ClientFacts
  requestId: string
  /** The tenant's time: real in live, virtual in test. */
  now: Date
  /** The client requested `text/event-stream`, and the endpoint has such an answer. */
  wantsEvents: boolean
  /** The id of the last event that a client received, if it reconnects to a stream. */
  lastEventId: string | null
  /** Aborted when the client disconnects; null if the endpoint has no long-running answer. */
  disconnected: AbortSignal | null
  /** Reports a change with values that the audit log may contain: never people's fields, texts or secrets. */
  changed(change: AuditChange): void
  /** Reports the resource before the change: the log stores its old numbers and switches beside the new ones. */
  was(resource: object): void
  /** Selects another success status of the endpoint than the first. */
  setStatus(status: number): void
  setHeader(name: string, value: string): void
}

/** The context of endpoints without key and session. `app.db` is outside of every account's wall. */
export interface OpenContext {
  app: App
  client: ClientFacts
  requestId: string
  setHeader(this: void, name: string, value: string): void
  /** Adds a cookie to those already in the response. */
  addCookie(this: void, cookie: string): void
}

interface Input<P, Q, B> {
  params: P
  query: Q extends { cursor?: string | undefined } ? Q & PageQuery : Q
  body: B
  /** The raw body, for endpoints with `bodyType`. */
  upload: Upload
}

type AnyRun = (context: RequestContext, input: Input<never, never, never>, extra: never) => Promise<unknown>

/**
 * Checks of a body that a schema can't express and that need no stored row, such as whether a template parses. A check gets the
 * body as it was sent, even if it is invalid. Its issues are returned with those of the schema, before any row is read.
 */
export type BodyCheck = (body: unknown, tenant: Tenant) => ValidationIssue[] | Promise<ValidationIssue[]>

/** An endpoint with its handler: one row of routes.ts. */
export interface Route {
  endpoint: Endpoint
  kind: 'query' | 'command' | 'phased' | 'open'
  run: AnyRun
  check?: BodyCheck
  /** Runs before the transaction of a command, but not for a replayed answer. It may check a password. */
  before?: (context: Omit<RequestContext, 'now'>, input: { params: never; body: never }) => Promise<void>
  /** Marks a read-only query that reads much: it may run on another server than the primary. */
  readsElsewhere?: true
  /** Runs outside of the wall between accounts, to write what requests may not (platform/db/account-wall.sql.ts). */
  beyondWall?: true
}

/** Wraps the last transaction of a phased command: its result and the idempotent answer commit together. */
export type Answer<Output> = (run: (tx: Transaction) => Promise<Output>) => Promise<GivenAnswer<Output>>
export interface GivenAnswer<Output> {
  readonly answered: Output
}

/** The result for an answer that is still being streamed. The writer of the stream calls `answer` before its end. */
export function streaming(stream: Readable): GivenAnswer<never> {
  return { answered: stream as never }
}

/** An endpoint that only reads. */
export function query<P extends string, Q extends z.ZodType, B extends z.ZodType, O extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, O>,
  run: (context: RequestContext, input: Input<PathParams<P>, z.output<Q>, z.output<B>>) => Promise<z.output<O>>,
): Route {
  return { endpoint: endpoint as unknown as Endpoint, kind: 'query', run: run as AnyRun }
}

/**
 * An endpoint that changes rows in one transaction, which the platform opens: the effect and the stored idempotent answer commit
 * together (docs/contract.md, "Conventions"). It must not use the network.
 */
export function command<P extends string, Q extends z.ZodType, B extends z.ZodType, O extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, O>,
  run: (
    context: RequestContext,
    input: Input<PathParams<P>, z.output<Q>, z.output<B>>,
    tx: Transaction,
  ) => Promise<z.output<O>>,
  check?: BodyCheck,
): Route {
  const route: Route = { endpoint: endpoint as unknown as Endpoint, kind: 'command', run: run as AnyRun }
  return check === undefined ? route : { ...route, check }
}

/** Lets a command write what requests may not. Each of its statements names the account. */
export function beyondWall(route: Route): Route {
  return { ...route, beyondWall: true }
}

/** Adds a check that runs before a command opens its transaction. */
export function after<P extends string, Q extends z.ZodType, B extends z.ZodType, O extends z.ZodType>(
  _endpoint: Endpoint<P, Q, B, O>,
  before: (context: Omit<RequestContext, 'now'>, input: { params: PathParams<P>; body: z.output<B> }) => Promise<void>,
  route: Route,
): Route {
  return { ...route, before: before as NonNullable<Route['before']> }
}

/** An endpoint that uses the network between transactions. It must end with `answer`, whose transaction stores the result. */
export function phased<P extends string, Q extends z.ZodType, B extends z.ZodType, O extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, O>,
  run: (
    context: RequestContext,
    input: Input<PathParams<P>, z.output<Q>, z.output<B>>,
    answer: Answer<z.output<O>>,
  ) => Promise<GivenAnswer<z.output<O>>>,
): Route {
  return { endpoint: endpoint as unknown as Endpoint, kind: 'phased', run: run as AnyRun }
}

/** An endpoint that signs people in and out. It needs no key or session and opens its own transactions. */
export function open<P extends string, Q extends z.ZodType, B extends z.ZodType, O extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, O>,
  run: (
    context: OpenContext,
    input: Pick<Input<PathParams<P>, z.output<Q>, z.output<B>>, 'query' | 'body'>,
  ) => Promise<z.output<O>>,
): Route {
  return { endpoint: endpoint as unknown as Endpoint, kind: 'open', run: run as unknown as AnyRun }
}

/** The actions after which a person gets a security notice by mail. */
export type ProtectionNotice =
  | 'authenticator_on'
  | 'authenticator_off'
  | 'password_changed'
  | 'role_changed'
  | 'live_admin_key_created'
  | 'live_write_key_created'
  | 'mailbox_password_changed'
  | 'organization_mailboxes_connected'

export type ProtectedCall = Pick<RequestContext, 'app' | 'tenant' | 'caller' | 'client' | 'requestId'>

/** For actions that change the protection of a login or give a key rights: the person proves their identity again and gets a notice. */
export interface Protection {
  /** Throws unless the proof is valid. A key has nothing to prove. It checks a password, so it runs outside of transactions. */
  confirm(call: ProtectedCall, proof: Confirmation | undefined): Promise<void>
  /** The same, but a sign-in within the last ten minutes is a proof, too. */
  confirmOldSession(call: ProtectedCall, proof: Confirmation | undefined): Promise<void>
  /** Mails the requesting person after the commit. */
  notify(call: ProtectedCall, tx: Transaction, notice: ProtectionNotice): Promise<void>
}
