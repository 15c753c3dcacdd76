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
  /** The client asked for `text/event-stream`, and the endpoint has such an answer. */
  wantsEvents: boolean
  /** Of a client that comes back to a stream: the id of the last event that it has. */
  lastEventId: string | null
  /** Aborted when the client leaves; null where the endpoint has no answer that takes its time. */
  left: AbortSignal | null
  /** Of what may stand in the audit log with its values: never people's fields, texts or secrets. */
  changed(change: AuditChange): void
  /** What is changed, as it was: the log keeps its numbers and switches beside the new ones. */
  was(resource: object): void
  /** Answer with another of the endpoint's success statuses than the first. */
  setStatus(status: number): void
  setHeader(name: string, value: string): void
}

/** Of what is served without key and session. `app.db` stands outside of every account's wall. */
export interface OpenContext {
  app: App
  client: ClientFacts
  requestId: string
  setHeader(this: void, name: string, value: string): void
  /** Beside other cookies of the same answer. */
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
 * What a schema can't tell of a body and no stored row changes, such as a template that does not parse. It is given the
 * body as it was sent, whatever that is, and told along with what the schema found: before anything is looked up.
 */
export type BodyCheck = (body: unknown, tenant: Tenant) => ValidationIssue[] | Promise<ValidationIssue[]>

/** An endpoint joined to what answers it: one row of routes.ts. */
export interface Route {
  endpoint: Endpoint
  kind: 'query' | 'command' | 'phased' | 'open'
  run: AnyRun
  check?: BodyCheck
  /** Runs before the transaction of a command, and not for an answer that is replayed: it may check a password. */
  before?: (context: Omit<RequestContext, 'now'>, input: { params: never; body: never }) => Promise<void>
  /** A query whose statements read much, and only read: the replica answers it where there is one. */
  readsElsewhere?: true
}

/** Wraps a phased command's last transaction: its result, and the idempotent answer, commit together. */
export type Answer<Output> = (run: (tx: Transaction) => Promise<Output>) => Promise<GivenAnswer<Output>>
export interface GivenAnswer<Output> {
  readonly answered: Output
}

/** An answer that is still being written: whoever writes the stream calls `answer` before its end. */
export function streaming(stream: Readable): GivenAnswer<never> {
  return { answered: stream as never }
}

/** Reads only. */
export function query<P extends string, Q extends z.ZodType, B extends z.ZodType, O extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, O>,
  run: (context: RequestContext, input: Input<PathParams<P>, z.output<Q>, z.output<B>>) => Promise<z.output<O>>,
): Route {
  return { endpoint: endpoint as unknown as Endpoint, kind: 'query', run: run as AnyRun }
}

/**
 * Changes rows in one transaction that the platform opens: the effect and the stored idempotent answer commit
 * together (docs/contract.md, "Conventions"). No network inside.
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

/** Adds what has to be right before a command opens its transaction. */
export function after<P extends string, Q extends z.ZodType, B extends z.ZodType, O extends z.ZodType>(
  _endpoint: Endpoint<P, Q, B, O>,
  before: (context: Omit<RequestContext, 'now'>, input: { params: PathParams<P>; body: z.output<B> }) => Promise<void>,
  route: Route,
): Route {
  return { ...route, before: before as NonNullable<Route['before']> }
}

/** Talks to the network between transactions; must end with `answer`, whose transaction stores the result. */
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

/** Signs people in and out: asked without key and session, opens its own transactions. */
export function open<P extends string, Q extends z.ZodType, B extends z.ZodType, O extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, O>,
  run: (
    context: OpenContext,
    input: Pick<Input<PathParams<P>, z.output<Q>, z.output<B>>, 'query' | 'body'>,
  ) => Promise<z.output<O>>,
): Route {
  return { endpoint: endpoint as unknown as Endpoint, kind: 'open', run: run as unknown as AnyRun }
}

/** What a person is told by mail after it was done in their name. */
export type ProtectionNotice =
  | 'authenticator_on'
  | 'authenticator_off'
  | 'password_changed'
  | 'role_changed'
  | 'live_admin_key_created'
  | 'mailbox_password_changed'

export type ProtectedCall = Pick<RequestContext, 'app' | 'tenant' | 'caller' | 'client' | 'requestId'>

/** For what ends a protection of an account: the person proves again who they are, and is told. */
export interface Protection {
  /** Throws unless the proof is right. A key has nothing to prove. Checks a password, so it runs outside of transactions. */
  confirm(call: ProtectedCall, proof: Confirmation | undefined): Promise<void>
  /** Mails the person who asks, after the commit. */
  notify(call: ProtectedCall, tx: Transaction, notice: ProtectionNotice): Promise<void>
}
