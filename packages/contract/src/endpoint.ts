import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { Role } from './team/roles.ts'

/** What a JSON body may have, unless its operation says otherwise. */
export const jsonBytesMax = 1024 * 1024

/** Of what a dry run answers: beside the usual answer in the document, and not one of two, so that clients keep one type. */
export const dryRunType = 'application/vnd.overture.dry-run+json'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Scope = 'read' | 'write' | 'admin'
export type Environment = 'live' | 'test'

/** What a path's `:name` parts are given: ids, opaque strings. */
export type PathParams<Path extends string> = string extends Path
  ? Record<string, string>
  : { [Name in ParamName<Path>]: string }

type ParamName<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParamName<Tail>
    : Rest
  : never

export interface Deprecation {
  /** The day from which it was deprecated: `2027-01-31`. */
  since: string
  sunset: string
  /** The call that takes its place. */
  use: string
}

/**
 * One operation of the public API, as a value. Routing, validation, scopes, the OpenAPI document and the
 * typed client all derive from it.
 */
export interface Endpoint<
  Path extends string = string,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> {
  /** camelCase verb and noun, unique: `createCampaign`. */
  operationId: string
  /** Its name in clients, resource by resource and unique: `campaigns.leads.add`. */
  call: string
  method: Method
  /** Published path with `:name` parameters and without a trailing slash: `/v2/campaigns/:id`. */
  path: Path
  scope: Scope
  /** What a person needs beside the scope of a key; else as `requiredRole` says. */
  role?: Role
  /** Served without key and session, by its caller's address alone: signing in. */
  open?: true
  /**
   * The environment whose records the operation reads or changes. `both`: those of the caller's own environment, and nothing
   * else; a house test lists why. `live`: people and money of the whole account, so a key of test gets 403 and a signed-in
   * person may use it in either environment of the console. `test`: a caller in live gets 404.
   */
  environment: Environment | 'both'
  summary: string
  description?: string
  /** Area of the document: `Campaigns`, `Leads`, `AI` … */
  tag: string
  /** Strict object; values arrive as strings, so numbers and booleans are coerced by the schema. */
  query?: Query
  /** Strict object. Absent: the operation takes no body (an empty one and `{}` are accepted). */
  body?: Body
  /** The list in the body whose items the handler checks one by one, so that a bad one never fails the call. */
  itemsOf?: string
  /** Fields of these items by column, if the operation also accepts the items as `text/csv`. The body is read whole, before its checks. */
  csvItems?: Readonly<Record<string, 'text' | 'number'>>
  /** Of a JSON body, where more than `jsonBytesMax` is taken. */
  bodyBytesMax?: number
  /** Media type of the body when it is not JSON; the handler then reads `input.upload`. */
  bodyType?: 'text/csv'
  /** Media type of the answer when it is not JSON; the handler then answers a stream. Octets are bytes of whatever kind. */
  outputType?: 'text/csv' | 'text/event-stream' | 'application/octet-stream'
  /** Answers `Accept: text/event-stream` with 200 and events, whose last is `result` (the JSON answer) or `error`. */
  streams?: { description: string; example: string }
  /**
   * The same call with `?dryRun=true`: it answers what it would do, changes nothing, and has a name of its own in clients.
   * Its body and query are those of the call.
   */
  dryRun?: Endpoint
  /** Of a dry run: what its name in clients adds to the query. */
  always?: Readonly<Record<string, true>>
  /** Hands out rows by the file: it stands in the audit log, though it changes nothing. */
  exports?: true
  /** Going away: still served until `sunset`, a date at least twelve months after the release `since`. */
  deprecated?: Deprecation
  /** Statuses of success, the usual one first. */
  success: readonly [number, ...number[]]
  output: Output
  /** Codes beyond those that every operation can answer (400, 401, 403, 413, 415, 429, 500). */
  errors?: readonly ErrorCode[]
  /** Validated in a test against `body` and `output`. */
  examples?: { body?: z.input<Body>; output?: z.output<Output> }
  /** Fields of the answer that are shown once and left out of an idempotent replay. */
  secretFields?: readonly string[]
}

export function endpoint<
  const Path extends string,
  Query extends z.ZodType = z.ZodObject<Record<string, never>>,
  Body extends z.ZodType = z.ZodUndefined,
  Output extends z.ZodType = z.ZodType,
>(definition: Endpoint<Path, Query, Body, Output>): Endpoint<Path, Query, Body, Output> {
  return definition
}

/** What clients call: a method whose answer hangs on what is asked would have two types, so a dry run is one of its own. */
export function callsOf(endpoints: readonly Endpoint[]): Endpoint[] {
  return endpoints.flatMap((one) => (one.dryRun === undefined ? [one] : [withoutQuery(one), withoutQuery(one.dryRun)]))
}

function withoutQuery({ query: _query, ...endpoint }: Endpoint): Endpoint {
  return endpoint
}
