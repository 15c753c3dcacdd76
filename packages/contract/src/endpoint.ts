import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { Role } from './team/roles.ts'

/** The largest JSON body, unless the operation has its own limit. */
export const jsonBytesMax = 1024 * 1024

/**
 * The media type of dry-run answers. In the document it is a second media type beside the usual answer and not a union with it, so that
 * clients keep one type per method.
 */
export const dryRunType = 'application/vnd.overture.dry-run+json'

const jsonType = 'application/json'
const textSheetTypes = ['text/csv', 'text/tab-separated-values']

/**
 * The media types of files with rows. The content of the file says what it is, because programs often send a workbook with a general
 * type. `text/plain` is not among them, because a form of a foreign page can send it (Fetch Standard, CORS-safelisted request-header).
 */
const sheetTypes: readonly string[] = [
  ...textSheetTypes,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.ms-excel',
  'application/octet-stream',
  'application/zip',
]

/** Media types that clients give to files. The first bytes of a file decide what it is. */
export const fileTypes = [
  'application/xml',
  'text/xml',
  'application/gzip',
  'application/x-gzip',
  'application/zip',
  'application/x-zip-compressed',
] as const

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Scope = 'read' | 'write' | 'admin'
export type Environment = 'live' | 'test'

/** The values of a path's `:name` parameters: ids, which are opaque strings. */
export type PathParams<Path extends string> = string extends Path
  ? Record<string, string>
  : { [Name in ParamName<Path>]: string }

type ParamName<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParamName<Tail>
    : Rest
  : never

export interface Deprecation {
  /** The day on which it was deprecated: `2027-01-31`. */
  since: string
  sunset: string
  /** The call that replaces it. */
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
  /** A unique camelCase verb and noun: `createCampaign`. */
  operationId: string
  /** The unique name in clients, by resource: `campaigns.leads.add`. */
  call: string
  method: Method
  /** Published path with `:name` parameters and without a trailing slash: `/v2/campaigns/:id`. */
  path: Path
  scope: Scope
  /** The role that a person needs besides the scope of a key. Without it, the role of `requiredRole`. */
  role?: Role
  /** Served without a key or session, for signing in. Limits count per address of the caller. */
  open?: true
  /**
   * The environment whose records the operation reads or changes. `both`: those of the caller's own environment, and nothing else; a house
   * test lists the reasons. `live`: people and money of the whole account. A key of test gets 403, but a signed-in person may use it in
   * either environment of the console. `test`: a caller in live gets 404.
   */
  environment: Environment | 'both'
  summary: string
  description?: string
  /** The section of the document: `Campaigns`, `Leads`, `AI` … */
  tag: string
  /** A strict object. Values arrive as strings, so the schema converts numbers and booleans. */
  query?: Query
  /** A strict object. Without it the operation has no body (an empty body and `{}` are accepted). */
  body?: Body
  /** The list in the body whose items the handler checks one by one, so that a bad item never fails the call. */
  itemsField?: string
  /**
   * Fields of these items by column, if the operation also accepts the items as `text/csv`. The whole body is read before it is checked.
   */
  csvItems?: Readonly<Record<string, 'text' | 'number'>>
  /** The limit of a JSON body that may be larger than `jsonBytesMax`. */
  bodyBytesMax?: number
  /**
   * The media type of a body that is not JSON. The handler then reads `input.upload`. A body of bytes may also be sent with a media type
   * of `fileTypes`.
   */
  bodyType?: 'text/csv' | 'application/octet-stream'
  /**
   * The media type of an answer that is not JSON. The handler then returns a stream. `application/octet-stream` may be bytes of any kind.
   */
  outputType?: 'text/csv' | 'text/event-stream' | 'application/octet-stream'
  /** Answers `Accept: text/event-stream` with 200 and events. The last event is `result` (the JSON answer) or `error`. */
  streams?: { description: string; example: string }
  /**
   * The same call with `?dryRun=true`. It returns its effects, changes nothing, and has its own name in clients. It has the body and query
   * of the call.
   */
  dryRun?: Endpoint
  /** For a dry run, the query parameters that its method in clients always adds. */
  always?: Readonly<Record<string, true>>
  /** Returns rows as a file. It is recorded in the audit log, although it changes nothing. */
  exports?: true
  /** Deprecated, but served until `sunset`, a date at least twelve months after the release `since`. */
  deprecated?: Deprecation
  /** Success statuses, the usual one first. */
  success: readonly [number, ...number[]]
  output: Output
  /** Codes besides those that every operation can return (400, 401, 403, 413, 415, 429, 500). */
  errors?: readonly ErrorCode[]
  /** A test validates them against `body` and `output`. */
  examples?: { body?: z.input<Body>; output?: z.output<Output> }
  /** Fields of the answer that are shown once and left out when an idempotent answer is replayed. */
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

/** The media types in which an operation accepts its body, the usual one first. */
export function acceptedTypes({ bodyType, csvItems }: Pick<Endpoint, 'bodyType' | 'csvItems'>): readonly string[] {
  if (bodyType === 'text/csv') return sheetTypes
  if (bodyType === 'application/octet-stream') return [bodyType, ...fileTypes]
  return csvItems === undefined ? [jsonType] : [jsonType, ...textSheetTypes]
}

/** The methods of clients. A method whose answer depends on a parameter would have two types, so a dry run is its own method. */
export function listCalls(endpoints: readonly Endpoint[]): Endpoint[] {
  return endpoints.flatMap((one) => (one.dryRun === undefined ? [one] : [withoutQuery(one), withoutQuery(one.dryRun)]))
}

function withoutQuery({ query: _query, ...endpoint }: Endpoint): Endpoint {
  return endpoint
}
