import { dryRunType, jsonBytesMax, type Endpoint } from '../src/endpoint.ts'
import { errorStatus, type ErrorCode } from '../src/errors.ts'
import { requiredRole } from '../src/team/roles.ts'
import { exampleBody, exampleOutput } from './openapi-examples.ts'
import {
  answerHeaders,
  commonErrors,
  errorExamples,
  errorSchemas,
  fileBody,
  openErrors,
  tagDescriptions,
  isList,
  pathWords,
  describeParameter,
} from './openapi-parts.ts'
import { buildWebhooks } from './openapi-webhooks.ts'
import { Models, toSchema, type Json } from './schemas.ts'

export interface OpenApiOptions {
  /** `http://127.0.0.1:3000`, without a trailing slash. */
  serverUrl: string
}

const version = '2.0.0'

/** The OpenAPI 3.1 document of some endpoints, derived from the contract alone: everything that a client generator needs. */
export function buildOpenApi(endpoints: readonly Endpoint[], options: OpenApiOptions): Json {
  const models = new Models()
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeOperation(endpoint, models) }
  }
  const tags = [...new Set(endpoints.map((endpoint) => endpoint.tag))].sort()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Overture API',
      version,
      description:
        'Self-hosted outbound campaigns. Every request has the header `Authorization: Bearer <API_KEY>`. A key belongs to ' +
        'the `live` or the `test` environment and sees only the records of that environment. Paths work with and without a ' +
        'trailing slash. Unknown fields are rejected.',
      contact: { name: 'Overture', url: 'https://overture.example.com' },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: options.serverUrl, description: 'This server' }],
    tags: tags.map((name) => ({ name, description: tagDescriptions[name] ?? `Operations on ${name.toLowerCase()}.` })),
    security: [{ apiKey: [] }, { session: [] }],
    paths,
    webhooks: buildWebhooks(models),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `ovt_live_…` or `ovt_test_…`. Use a test key to try things out.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-overture',
          description:
            'The session cookie of a user. Over plain http its name is `overture_PORT`. A session also needs `X-Overture-Environment` ' +
            '(`live` or `test`). `Authorization` has precedence over the cookie.',
        },
      },
      headers: answerHeaders,
      responses: errorResponses(),
      schemas: { ...errorSchemas, ...models.definitions() },
    },
  }
}

function describeOperation(endpoint: Endpoint, models: Models): Json {
  const going = endpoint.deprecated
  const plain = endpoint.description ?? `${endpoint.summary}.`
  const description =
    going === undefined
      ? plain
      : `${plain}\n\nDeprecated since ${going.since}, removed on ${going.sunset}: use \`${going.use}\`.`
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: `${description}\n\n${neededFor(endpoint)}`,
    tags: [endpoint.tag],
    ...(endpoint.open ? { security: [] } : { 'x-required-scope': endpoint.scope, 'x-role': requiredRole(endpoint) }),
    ...(going !== undefined && { deprecated: true, 'x-sunset': going.sunset }),
    'x-sdk-method': endpoint.call,
    ...(endpoint.dryRun && { 'x-sdk-dry-run': endpoint.dryRun.call }),
    parameters: describeParameters(endpoint, models),
    ...(hasBody(endpoint) && { requestBody: requestBody(endpoint, models) }),
    responses: describeResponses(endpoint, models),
  }
}

function neededFor(endpoint: Endpoint): string {
  if (endpoint.open) return 'Neither key nor session.'
  return `Required scope: \`${endpoint.scope}\`. Required role: \`${requiredRole(endpoint)}\`.`
}

function hasBody(endpoint: Endpoint): boolean {
  return endpoint.body !== undefined || endpoint.bodyType !== undefined
}

function requestBody(endpoint: Endpoint, models: Models): Json {
  if (endpoint.bodyType !== undefined) return fileBody(endpoint.bodyType) as Json
  const body = endpoint.body!
  const example = exampleBody(endpoint, toSchema(body, 'input'))
  return {
    required: !body.safeParse(undefined).success,
    description: `${(endpoint.bodyBytesMax ?? jsonBytesMax) / (1024 * 1024)} MiB at most.${csvWords(endpoint)}`,
    content: {
      'application/json': {
        schema: models.reference(body, 'input'),
        ...(example !== undefined && { example }),
      },
      ...(endpoint.csvItems && { 'text/csv': { schema: { type: 'string' } } }),
    },
  }
}

function csvWords({ csvItems, itemsField }: Endpoint): string {
  if (csvItems === undefined) return ''
  const columns = Object.keys(csvItems).join(', ')
  return ` As CSV, each row is an item of \`${itemsField}\`, and the first row contains the column names: ${columns}.`
}

function describeResponses(endpoint: Endpoint, models: Models): Json {
  const example = exampleOutput(endpoint, toSchema(endpoint.output, 'output'))
  const headers = Object.fromEntries(
    Object.keys(answerHeaders)
      .filter(
        (name) =>
          name !== 'Retry-After' &&
          (endpoint.method === 'POST' || name !== 'Idempotent-Replayed') &&
          !(endpoint.open && ofCallers.test(name)),
      )
      .map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )
  const responses: Json = {}
  for (const status of endpoint.success) {
    responses[status] = {
      description: successWords[status] ?? 'Success.',
      headers,
      content: {
        [endpoint.outputType ?? 'application/json']: {
          schema: answerSchema(endpoint, models),
          ...(example !== undefined && { example }),
        },
        ...(isList(endpoint) && { 'text/csv': { schema: { type: 'string' } } }),
        ...(endpoint.dryRun && { [dryRunType]: { schema: models.reference(endpoint.dryRun.output, 'output') } }),
      },
    }
  }
  if (endpoint.streams !== undefined) {
    const { description, example: events } = endpoint.streams
    responses[200] = {
      description,
      headers,
      content: { 'text/event-stream': { schema: { type: 'string' }, example: events } },
    }
  }
  for (const [status, codes] of errorsByStatus(endpoint)) {
    responses[status] = { $ref: `#/components/responses/${responseName(status, codes)}` }
  }
  return responses
}

/** Headers that only callers with a key or a session get. */
const ofCallers = /^(X-RateLimit|Idempotent)/
function answerSchema({ outputType, output }: Endpoint, models: Models): Json {
  if (outputType === undefined) return models.reference(output, 'output')
  return outputType === 'application/octet-stream' ? { type: 'string', format: 'binary' } : { type: 'string' }
}

const successWords: Readonly<Record<number, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted. The work is done later.',
}

/** Every code that an operation can return, by status. */
export function errorsByStatus(endpoint: Endpoint): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>([...(endpoint.open ? openErrors : commonErrors), ...(endpoint.errors ?? [])])
  // A path or body that names a resource may name one that does not exist.
  if (endpoint.path.includes(':') || hasBody(endpoint)) codes.add('NOT_FOUND')
  // A live key finds nothing in the test environment.
  if (endpoint.environment === 'test') codes.add('NOT_FOUND')
  if (hasBody(endpoint)) codes.add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE')
  if (endpoint.method === 'POST' && !endpoint.open) codes.add('CONFLICT').add('IDEMPOTENCY_KEY_REUSED')
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of Object.keys(errorStatus) as ErrorCode[]) {
    if (codes.has(code)) byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code])
  }
  return byStatus
}

const sharedResponses: readonly (readonly [string, readonly ErrorCode[]])[] = [
  ['ValidationError', ['VALIDATION_ERROR']],
  ['Unauthorized', ['UNAUTHORIZED']],
  ['InsufficientCredits', ['INSUFFICIENT_CREDITS']],
  ['Forbidden', ['API_ACCESS_DISABLED', 'INSUFFICIENT_SCOPE', 'INSUFFICIENT_ROLE']],
  ['NotFound', ['NOT_FOUND']],
  ['Conflict', ['CONFLICT']],
  ['PayloadTooLarge', ['PAYLOAD_TOO_LARGE']],
  ['UnsupportedMediaType', ['UNSUPPORTED_MEDIA_TYPE']],
  ['IdempotencyKeyReused', ['IDEMPOTENCY_KEY_REUSED']],
  ['TooManyRequests', ['RATE_LIMIT_EXCEEDED', 'QUOTA_EXCEEDED']],
  ['InternalError', ['INTERNAL_ERROR']],
  ['ServiceUnavailable', ['SERVICE_UNAVAILABLE']],
]

function responseName(status: number, codes: readonly ErrorCode[]): string {
  const found = sharedResponses.find(([, known]) => codes.every((code) => known.includes(code)))
  if (found === undefined) throw new Error(`No response for ${status} ${codes.join(', ')}`)
  return found[0]
}

function errorResponses(): Json {
  const responses: Json = {}
  for (const [name, codes] of sharedResponses) {
    responses[name] = {
      description: codes.map((code) => errorExamples[code].message).join(' Or: '),
      headers: Object.fromEntries(
        errorHeaders(codes).map((header) => [header, { $ref: `#/components/headers/${header}` }]),
      ),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(codes.map((code) => [code, { value: { error: errorExamples[code] } }])),
        },
      },
    }
  }
  return responses
}

function errorHeaders(codes: readonly ErrorCode[]): string[] {
  const always = ['X-Request-Id', 'X-Overture-Version']
  if (codes.includes('UNAUTHORIZED')) return always
  const limits = [...always, 'X-RateLimit-Limit', 'X-RateLimit-Remaining']
  const waits = codes.includes('RATE_LIMIT_EXCEEDED') || codes.includes('CONFLICT')
  return waits ? [...limits, 'Retry-After'] : limits
}

function describeParameters(endpoint: Endpoint, models: Models): Json[] {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const parameters: Json[] = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    description: pathWords[name] ?? `The id of the ${name.replace(/Id$/, '')}.`,
    schema: { type: 'string' },
  }))
  if (endpoint.query !== undefined) {
    const schema = models.inlined(endpoint.query, 'input')
    const required = (schema['required'] as string[] | undefined) ?? []
    for (const [name, property] of Object.entries((schema['properties'] as Record<string, Json> | undefined) ?? {})) {
      const { description, ...rest } = property
      parameters.push({
        name,
        in: 'query',
        required: required.includes(name),
        description: description ?? describeParameter(name),
        schema: rest,
      })
    }
  }
  if (endpoint.method === 'POST' && !endpoint.open) {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Makes the call safe to repeat for 24 hours. A repeated request gets the first response.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    })
  }
  return parameters
}

/** The table of routes with scopes, as in docs/routes.md. */
export function routesTable(endpoints: readonly Endpoint[]): string {
  const rows = endpoints
    .map(
      (endpoint) => `| ${[endpoint.method, endpoint.path, endpoint.operationId, ...neededIn(endpoint)].join(' | ')} |`,
    )
    .sort((a, b) => (a.split('|')[2]! < b.split('|')[2]! ? -1 : 1))
  const head = ['| Method | Path | Operation | Scope | Role |', '|---|---|---|---|---|']
  return ['# Routes, scopes and roles', '', ...head, ...rows, ''].join('\n')
}

function neededIn(endpoint: Endpoint): string[] {
  return endpoint.open ? ['none', 'none'] : [endpoint.scope, requiredRole(endpoint)]
}
