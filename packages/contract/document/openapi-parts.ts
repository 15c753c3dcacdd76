import { fileTypes, type Endpoint } from '../src/endpoint.ts'
import { errorStatus, type ErrorCode, type ErrorDetails } from '../src/errors.ts'

/** Codes that a caller without a key and a session can get. */
export const openErrors: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'INSUFFICIENT_SCOPE',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
]

/** Codes that every operation can return. */
export const commonErrors: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'API_ACCESS_DISABLED',
  'INSUFFICIENT_SCOPE',
  'INSUFFICIENT_ROLE',
  'RATE_LIMIT_EXCEEDED',
  'QUOTA_EXCEEDED',
  'INTERNAL_ERROR',
]

/** The error body, the same for every code, and its parts. */
export const errorSchemas = {
  Error: {
    type: 'object',
    required: ['error'],
    additionalProperties: false,
    properties: { error: { $ref: '#/components/schemas/ErrorBody' } },
  },
  ErrorBody: {
    type: 'object',
    required: ['code', 'message', 'request_id'],
    additionalProperties: false,
    properties: {
      code: { $ref: '#/components/schemas/ErrorCode' },
      message: { type: 'string' },
      request_id: { type: 'string', description: 'The same as X-Request-Id.' },
      details: { $ref: '#/components/schemas/ErrorDetails' },
    },
  },
  ErrorCode: { type: 'string', enum: Object.keys(errorStatus) },
  ErrorDetails: {
    type: 'object',
    description: 'Details beyond the message, if there are any.',
    properties: {
      issues: {
        type: 'array',
        description: 'All problems of the input.',
        items: { $ref: '#/components/schemas/ValidationIssue' },
      },
      currentStatus: { type: 'string', description: 'With CONFLICT: the present status.' },
      allowedActions: {
        type: 'array',
        description: 'With CONFLICT: the actions that are possible instead.',
        items: { type: 'string' },
      },
      blockers: {
        type: 'array',
        description: 'Everything that prevents the campaign from starting.',
        items: { $ref: '#/components/schemas/Blocker' },
      },
      fields: {
        type: 'array',
        description: 'With a running campaign: the fields that can be changed only while it is paused.',
        items: { type: 'string' },
      },
      users: {
        type: 'array',
        description: 'With a sending account in use: the campaigns and conversations that use it.',
        items: { $ref: '#/components/schemas/SenderUser' },
      },
      sendingAccountId: { type: 'string', description: 'The sending account that already has this address.' },
      requiredRole: { type: 'string', description: 'With INSUFFICIENT_ROLE: the lowest role that is allowed.' },
      reason: { type: 'string', description: 'One word for programs, if a code has several reasons.' },
      retryAfterSeconds: { type: 'integer', description: 'The same value as Retry-After.' },
    } satisfies Record<keyof ErrorDetails, object>,
    additionalProperties: true,
  },
  SenderUser: {
    type: 'object',
    required: ['kind', 'id', 'name'],
    additionalProperties: false,
    properties: {
      kind: { type: 'string', enum: ['campaign', 'conversation'] },
      id: { type: 'string' },
      name: { type: 'string' },
    },
  },
  ValidationIssue: {
    type: 'object',
    required: ['path', 'rule', 'message'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', description: 'Such as `steps[0].variants[1].subject`. Empty for the body itself.' },
      rule: { type: 'string' },
      message: { type: 'string' },
    },
  },
}

const requestId = 'req_1m3q8z0c0n7t5w2k9x'

function example(code: ErrorCode, message: string, details?: Record<string, unknown>) {
  return { code, message, request_id: requestId, ...(details && { details }) }
}

export const errorExamples: Readonly<Record<ErrorCode, ReturnType<typeof example>>> = {
  VALIDATION_ERROR: example('VALIDATION_ERROR', 'The request is not valid.', {
    issues: [{ path: 'name', rule: 'required', message: 'Required.' }],
  }),
  UNAUTHORIZED: example('UNAUTHORIZED', 'The API key is missing, malformed, unknown, revoked or expired.'),
  INSUFFICIENT_CREDITS: example('INSUFFICIENT_CREDITS', 'Not enough credits.'),
  API_ACCESS_DISABLED: example('API_ACCESS_DISABLED', 'API access is turned off for this account.'),
  INSUFFICIENT_SCOPE: example('INSUFFICIENT_SCOPE', 'This operation needs a key with the scope write.'),
  INSUFFICIENT_ROLE: example('INSUFFICIENT_ROLE', 'This operation needs the role admin.', { requiredRole: 'admin' }),
  NOT_FOUND: example('NOT_FOUND', 'Not found.'),
  CONFLICT: example('CONFLICT', 'The campaign is completed, so the action start is not possible.', {
    currentStatus: 'completed',
    allowedActions: ['delete'],
  }),
  PAYLOAD_TOO_LARGE: example('PAYLOAD_TOO_LARGE', 'The body is larger than 1 MiB.'),
  UNSUPPORTED_MEDIA_TYPE: example('UNSUPPORTED_MEDIA_TYPE', 'Send the body in the media type of this operation.'),
  IDEMPOTENCY_KEY_REUSED: example(
    'IDEMPOTENCY_KEY_REUSED',
    'This idempotency key was already used with another request. Use a new key.',
  ),
  RATE_LIMIT_EXCEEDED: example('RATE_LIMIT_EXCEEDED', 'Too many requests. Wait for the seconds in Retry-After.'),
  QUOTA_EXCEEDED: example('QUOTA_EXCEEDED', 'The monthly request quota of this account is used up.'),
  INTERNAL_ERROR: example('INTERNAL_ERROR', 'Something went wrong on our side.'),
  SERVICE_UNAVAILABLE: example('SERVICE_UNAVAILABLE', 'The service behind this operation is not available.'),
}

export const answerHeaders = {
  'X-Overture-Version': { description: 'The version of the server.', schema: { type: 'string' } },
  'X-Request-Id': { description: 'The id of this request.', schema: { type: 'string' } },
  'X-RateLimit-Limit': { description: 'Requests per minute that the key may make.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left in the current minute.', schema: { type: 'integer' } },
  'Retry-After': {
    description: 'Whole seconds after which one request is sure to be accepted if no other request is sent.',
    schema: { type: 'integer' },
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
}

export const tagDescriptions: Readonly<Record<string, string>> = {
  Account: 'The account, its limits and its API keys.',
  AI: 'Models, generated texts and their cost, prompt presets, approval of texts.',
  Analytics: 'What each number of the statistics means.',
  Billing: 'Plan, balance and ledger.',
  Campaigns: 'Create, start, pause, resume and watch campaigns.',
  Conversations: 'Read, answer and mark conversations with leads.',
  Events: 'The log of everything that happened.',
  'Lead finder': 'Search people and companies, and reveal their addresses and numbers.',
  'Campaign leads': 'Add, import, change, explain and answer the leads of one campaign.',
  Leads: 'Find, change, export and erase people across all campaigns.',
  Meetings: 'Meetings from every source, and the times when they can be booked.',
  'Sending accounts': 'Mailboxes that send and receive: credentials, health, limits.',
  Signals: 'What a CRM, a product or a workflow knows about leads.',
  Lists: 'People outside of campaigns. A campaign can follow a list.',
  Tags: 'Words by which campaigns, people and sending accounts are found.',
  Suppressions: 'Addresses and domains that never get a message.',
  'Sign-in': 'Sign in and out with a cookie instead of a key.',
  Tasks: 'What people do for leads: calls, visits of profiles, emails by hand.',
  Team: 'The users of the account, their permissions and their sessions.',
  Templates: 'Texts with variables, and previews for a lead.',
  Deliverability: 'The domains that send, with the DMARC reports of receivers.',
  'Test environment':
    'The virtual clock and the simulated mailboxes, only for keys of the test environment. Other keys get 404.',
  Verification: 'Whether addresses can get mail.',
  Webhooks: 'Endpoints that receive events, and the outcome of each delivery.',
}

export const pathWords: Readonly<Record<string, string>> = {
  id: 'The id of the resource.',
  n: 'Its number, from 1.',
  domain: 'The name of the domain.',
}

/** Descriptions of query parameters whose schema has none. */
const queryWords: Readonly<Record<string, string>> = {
  page: 'The page, from 1. Use `cursor` to read a whole collection.',
  limit: 'Results per page.',
  cursor: '`nextCursor` of the previous page.',
  format: '`csv` returns the whole list as a file, like `Accept: text/csv`.',
  environment: 'The environment of a session that follows a link to a file. A key has its own.',
  action: 'The name of the operation.',
  actorId: 'Only entries by this user, key or session.',
  after: 'Only events after the event with this id.',
  archived: 'Whether it is archived.',
  assigneeId: 'Of this user.',
  awaiting: 'Whether the last message is an unanswered reply.',
  blockedReason: 'Held by this gate.',
  campaignId: 'Of this campaign.',
  category: 'In this category.',
  channel: 'Of this channel.',
  days: 'How many days ahead.',
  domain: 'Of this domain.',
  direction: 'Messages to the simulated people, or from them.',
  dueBefore: 'Due before this time, without tasks that are snoozed until then.',
  email: 'This address, in any spelling.',
  eventId: 'Of this event.',
  field: 'The filter whose values are suggested.',
  from: 'Starting at this time or day.',
  groupBy: 'One or two dimensions, separated by a comma.',
  interest: 'With this label.',
  interval: 'How long a period is.',
  kind: 'Of this kind.',
  leadId: 'Of this lead.',
  list: 'The name of a suppression list.',
  mode: '`add` adds and updates entries; `replace` also removes entries that are not in the file.',
  name: 'Of this name.',
  onDuplicate: 'What to do with a row whose address is already a lead of the campaign.',
  order: '`asc`: oldest first; `desc`: newest first.',
  ownerId: 'Of this user.',
  provider: 'Of this provider.',
  q: 'A part of a name, an address or a text.',
  result: 'With this result.',
  replaceWith: 'The sending account that takes over its campaigns and conversations.',
  sendingAccountId: 'Of this sending account.',
  scheduled: 'Whether it has a scheduled reply.',
  snoozed: 'Whether it is snoozed.',
  source: 'From this source.',
  status: 'With this status.',
  tag: 'With this tag.',
  targetId: 'Only entries about this resource.',
  timezone: 'The IANA time zone in which days begin.',
  to: 'Up to this time or day.',
  type: 'Of this type.',
  verify: 'Whether to verify the addresses afterwards.',
  verification: 'With this result of its verification; `none` for addresses without one.',
  unread: 'Whether it has an unread message.',
  year: 'The year, 2000 to 2100.',
}

/** Whether the endpoint is a list with a cursor. Such lists can also be downloaded as CSV. */
export function isList({ query, outputType }: Endpoint): boolean {
  return outputType === undefined && query !== undefined && 'cursor' in ((query as { shape?: object }).shape ?? {})
}

export function describeParameter(parameter: string): string {
  const words = queryWords[parameter]
  if (words === undefined) throw new Error(`The parameter ${parameter} has no description.`)
  return words
}

/** The request body of an operation that takes a file. */
export function fileBody(type: NonNullable<Endpoint['bodyType']>): object {
  const isCsv = type === 'text/csv'
  const description = isCsv
    ? 'A CSV file whose first row contains the column names. It is streamed.'
    : `The file, also with the media type ${fileTypes.join(', ')}.`
  const schema = isCsv ? { type: 'string' } : { type: 'string', format: 'binary' }
  return { required: true, description, content: { [type]: { schema } } }
}
