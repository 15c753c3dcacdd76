import type { Endpoint } from '../src/endpoint.ts'
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
    description: 'What is wrong, where there is more to say than the message.',
    properties: {
      issues: {
        type: 'array',
        description: 'Everything that is wrong with the input, at once.',
        items: { $ref: '#/components/schemas/ValidationIssue' },
      },
      currentStatus: { type: 'string', description: 'Of every CONFLICT: why not now.' },
      allowedActions: {
        type: 'array',
        description: 'Of every CONFLICT: what could be done instead.',
        items: { type: 'string' },
      },
      blockers: {
        type: 'array',
        description: 'Everything that keeps a campaign from starting, at once.',
        items: { $ref: '#/components/schemas/Blocker' },
      },
      fields: {
        type: 'array',
        description: 'Of a campaign that runs: what can only be changed while it is paused.',
        items: { type: 'string' },
      },
      users: {
        type: 'array',
        description: 'Of a sending account that is in use: by what.',
        items: { $ref: '#/components/schemas/SenderUser' },
      },
      sendingAccountId: { type: 'string', description: 'Which sending account has this address already.' },
      requiredRole: { type: 'string', description: 'Of INSUFFICIENT_ROLE: the least that is needed.' },
      reason: { type: 'string', description: 'One word for programs, where a code has several reasons.' },
      retryAfterSeconds: { type: 'integer', description: 'The same as Retry-After, where it stands here, too.' },
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
      path: { type: 'string', description: '`steps[0].variants[1].subject`; empty for the body itself.' },
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
  CONFLICT: example('CONFLICT', 'The action does not fit the current state.', {
    currentStatus: 'completed',
    allowedActions: ['delete'],
  }),
  PAYLOAD_TOO_LARGE: example('PAYLOAD_TOO_LARGE', 'The body is larger than 1 MiB.'),
  UNSUPPORTED_MEDIA_TYPE: example(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body as the media type that this operation takes.',
  ),
  IDEMPOTENCY_KEY_REUSED: example('IDEMPOTENCY_KEY_REUSED', 'This idempotency key was used with another request.'),
  RATE_LIMIT_EXCEEDED: example('RATE_LIMIT_EXCEEDED', 'Too many requests. Wait as long as Retry-After says.'),
  QUOTA_EXCEEDED: example('QUOTA_EXCEEDED', 'The monthly quota of this account is used up.'),
  INTERNAL_ERROR: example('INTERNAL_ERROR', 'Something went wrong on our side.'),
  SERVICE_UNAVAILABLE: example('SERVICE_UNAVAILABLE', 'The service behind this operation is not available.'),
}

export const answerHeaders = {
  'X-Overture-Version': { description: 'The version of the server that answers.', schema: { type: 'string' } },
  'X-Request-Id': { description: 'The id of this request.', schema: { type: 'string' } },
  'X-RateLimit-Limit': { description: 'Requests per minute that the key may make.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left in the current minute.', schema: { type: 'integer' } },
  'Retry-After': {
    description: 'Whole seconds after which one request is sure to pass if nothing else is sent.',
    schema: { type: 'integer' },
  },
  'Idempotent-Replayed': {
    description: '`true` when the answer is that of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
}

export const tagDescriptions: Readonly<Record<string, string>> = {
  Account: 'The account, its limits and its API keys.',
  AI: 'Models, generated text and what it cost, prompt presets, approval of texts.',
  Analytics: 'What each number of the statistics means.',
  Billing: 'Plan, balance and ledger.',
  Campaigns: 'Campaigns: create, start, pause, resume, watch.',
  Conversations: 'Conversations with leads: read, answer, mark.',
  Events: 'The log of everything that happened.',
  'Lead finder': 'Search of people and companies, and the reveal of their addresses and numbers.',
  'Campaign leads': 'The leads of one campaign: add, import, change, explain, answer.',
  Leads: 'People, whichever campaigns they are leads of: find, change, export, erase.',
  Meetings: 'Meetings from every source, and when they can be booked.',
  'Sending accounts': 'Mailboxes that send and are read: credentials, health, limits.',
  Signals: 'What a CRM, a product or a workflow knows of leads.',
  Suppressions: 'Addresses and domains that are never written to.',
  'Sign-in': 'Signing in and out: no key, a cookie.',
  Team: 'The people who use the account: what they may do, where they are signed in.',
  Templates: 'Texts with variables, and how they read for a lead.',
  'Test environment':
    'The virtual clock and the simulated mailboxes, for keys of the test environment alone; others get 404.',
  Webhooks: 'Endpoints that events are posted to, and what came of each delivery.',
}

export const pathWords: Readonly<Record<string, string>> = { id: 'The id of the resource.', n: 'Its number, from 1.' }

/** Descriptions of query parameters whose schema has none. */
const queryWords: Readonly<Record<string, string>> = {
  page: 'The page, from 1; use `cursor` to walk a whole collection.',
  limit: 'Results per page.',
  cursor: '`nextCursor` of the page before.',
  format: '`csv`: all of the list as a file, as `Accept: text/csv` asks for it.',
  environment: 'Of a session that follows a link to a file; a key has its own.',
  action: 'What was done: the name of an operation.',
  actorId: 'What this user, key or session did.',
  after: 'What comes after the event of this id.',
  archived: 'Whether it is archived.',
  awaiting: 'Whether its last word is a reply that nobody has answered.',
  blockedReason: 'Held by this gate.',
  campaignId: 'Of this campaign.',
  category: 'In this category.',
  days: 'How many days ahead.',
  domain: 'Of this domain.',
  direction: 'To the simulated people, or from them.',
  email: 'Of this address, however it is written.',
  eventId: 'Of this event.',
  field: 'The filter whose values are asked for.',
  from: 'From this time or day on.',
  groupBy: 'One or two dimensions, with a comma between them.',
  interest: 'With this label.',
  interval: 'How long a period is.',
  kind: 'Of this kind.',
  leadId: 'Of this lead.',
  name: 'Of this name.',
  onDuplicate: 'What becomes of a row whose address is a lead of the campaign already.',
  order: '`asc`: oldest first; `desc`: newest first.',
  ownerId: 'Of this user.',
  provider: 'Of this provider.',
  q: 'A part of a name, an address or a text.',
  replaceWith: 'The sending account that takes over its campaigns and conversations.',
  sendingAccountId: 'Of this sending account.',
  source: 'From this source.',
  status: 'With this status.',
  tag: 'With this tag.',
  targetId: 'What was done to this resource.',
  timezone: 'The zone in which days begin, by its IANA name.',
  to: 'Up to this time or day.',
  type: 'Of this type.',
  unread: 'Whether it has something unread.',
}

/** Whether the endpoint is a list with a cursor. Such lists can also be downloaded as CSV. */
export function isList({ query, outputType }: Endpoint): boolean {
  return outputType === undefined && query !== undefined && 'cursor' in ((query as { shape?: object }).shape ?? {})
}

export function wordsOf(parameter: string): string {
  const words = queryWords[parameter]
  if (words === undefined) throw new Error(`Nothing says what the parameter ${parameter} asks for.`)
  return words
}
