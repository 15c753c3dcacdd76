import { fileURLToPath } from 'node:url'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Client, Transport } from '@opensearch-project/opensearch'
import { createGenerator } from 'ts-json-schema-generator'

const operations = [
  'Search',
  'Bulk',
  'Count',
  'Health',
  'CreateIndex',
  'DeleteIndex',
  'GetAlias',
  'UpdateAliases',
  'GetMapping',
  'PutMapping',
  'Refresh',
] as const
type Operation = (typeof operations)[number]

export interface SentRequest {
  method: string
  /** The path with its query string. */
  target: string
  contentType: string | undefined
  body: string
}

interface WireForm {
  method: string
  path: string
}

const problemsMax = 8

/**
 * OpenSearch's own description of its API, from its official client. The client's types are generated from the API specification and
 * converted to JSON schemas here; its methods say where an operation is sent. The description doesn't cover documents, the meaning of
 * a query, or the existence of an index.
 */
export class OpenSearchDescription {
  readonly #validators = new Map<string, ValidateFunction>()

  /** Takes seconds, since TypeScript reads the types of the package. */
  constructor() {
    const path = fileURLToPath(new URL('./open-search-operations.ts', import.meta.url))
    const tsconfig = fileURLToPath(new URL('../../../../tsconfig.json', import.meta.url))
    const generator = createGenerator({ path, tsconfig, skipTypeCheck: true, additionalProperties: false })
    const ajv = new Ajv({ strict: false, coerceTypes: false, allErrors: false })
    // Query parameters are text: `true` and `5` arrive as strings.
    const coercing = new Ajv({ strict: false, coerceTypes: true, allErrors: false })
    const { definitions } = generator.createSchema('*')
    amend(definitions!)
    ajv.addSchema({ $id: 'description', definitions })
    coercing.addSchema({ $id: 'description', definitions })
    this.#validators.set('BulkAction', ajv.compile({ $ref: 'description#/definitions/BulkAction' }))
    for (const operation of operations) {
      const at = (name: string, below = '') => ({ $ref: `description#/definitions/${operation}${name}${below}` })
      this.#validators.set(`${operation} parameters`, coercing.compile(at('Request', '/properties/parameters')))
      this.#validators.set(`${operation} answer`, ajv.compile(at('Answer')))
      const hasBody = (definitions![`${operation}Request`] as { properties: object }).properties
      if ('body' in hasBody) {
        this.#validators.set(`${operation} body`, ajv.compile(at('Request', '/properties/body')))
      }
    }
  }

  /** The problems of a request; empty if it matches the description. */
  async problemsOfRequest(request: SentRequest): Promise<string[]> {
    const url = new URL(request.target, 'http://stub.test')
    const operation = findOperation(request.method, url.pathname)
    if (operation === null) return [`no operation ${request.method} ${url.pathname}`]
    const body = readBody(operation, request)
    if (typeof body === 'string') return [body]
    const inPath = parametersOfPath(operation, url.pathname)
    const parameters = { ...inPath, ...Object.fromEntries(url.searchParams) }
    const wire = await wireForm(operation, { ...inPath, body: body.value })
    const isThere = wire.method === request.method && wire.path === url.pathname
    const actions = operation === 'Bulk' ? (body.value as object[]).filter((line) => isAction(line)) : []
    return [
      ...(isThere ? [] : [`the client sends ${wire.method} ${wire.path}, not ${request.method} ${url.pathname}`]),
      ...this.#problems(`${operation} parameters`, parameters),
      ...(body.value === undefined ? [] : this.#problems(`${operation} body`, body.value)),
      // The description accepts any object as a line of a bulk write, since documents are arbitrary. The actions are checked here.
      ...actions.flatMap((action) => this.#problems('BulkAction', action)),
    ]
  }

  /** The problems of a 200 response. A double is only useful if a real cluster could send its responses. */
  problemsOfAnswer(method: string, target: string, body: unknown): string[] {
    const operation = findOperation(method, new URL(target, 'http://stub.test').pathname)
    return operation === null ? [] : this.#problems(`${operation} answer`, body)
  }

  #problems(name: string, value: unknown): string[] {
    const validate = this.#validators.get(name)
    if (!validate) return [`${name}: none is described`]
    return validate(value)
      ? []
      : (validate.errors ?? []).slice(0, problemsMax).map((error) => describeError(name, error))
  }
}

/** Adds a field that the description lacks, though every example in OpenSearch's manual has it. */
function amend(definitions: Record<string, unknown>): void {
  const terms = definitions['TermsAggregationFields'] as { properties: Record<string, unknown> }
  terms.properties['field'] = { $ref: '#/definitions/Field' }
}

// Our own documents have none of these fields.
function isAction(line: object): boolean {
  return ['index', 'delete', 'create', 'update'].some((name) => name in line)
}

function describeError(name: string, { instancePath, message, params }: ErrorObject): string {
  return `${name}${instancePath} ${message ?? ''} ${JSON.stringify(params)}`
}

function findOperation(method: string, path: string): Operation | null {
  const [, first = '', second = '', ...more] = path.split('/')
  if (more.length > 0 && first !== '_cluster') return null
  if (first === '_cluster' && second === 'health') return 'Health'
  const named: Record<string, Operation> = {
    'POST _bulk': 'Bulk',
    'POST _aliases': 'UpdateAliases',
  }
  const ofIndex: Record<string, Operation> = {
    'POST _bulk': 'Bulk',
    'POST _search': 'Search',
    'POST _count': 'Count',
    'GET _refresh': 'Refresh',
    'GET _mapping': 'GetMapping',
    'POST _mapping': 'PutMapping',
    'GET _alias': 'GetAlias',
    'PUT ': 'CreateIndex',
    'DELETE ': 'DeleteIndex',
  }
  return named[`${method} ${first}`] ?? (first.startsWith('_') ? null : (ofIndex[`${method} ${second}`] ?? null))
}

function parametersOfPath(operation: Operation, path: string): Record<string, string> {
  const segments = path.split('/').slice(1).map(decodeURIComponent)
  if (operation === 'Health') return segments[2] === undefined ? {} : { index: segments[2] }
  return segments[0]!.startsWith('_') ? {} : { index: segments[0]! }
}

/** Returns a text if the body is invalid. */
function readBody(operation: Operation, { body, contentType }: SentRequest): { value: unknown } | string {
  if (body === '') return contentType === undefined ? { value: undefined } : 'a type of contents without contents'
  const isBulk = operation === 'Bulk'
  if (contentType !== (isBulk ? 'application/x-ndjson' : 'application/json')) return `contents of ${contentType}`
  if (!isBulk) return { value: JSON.parse(body) as unknown }
  if (!body.endsWith('\n')) return 'a bulk body ends with a newline'
  return { value: body.trimEnd().split('\n').map(parsed) }
}

function parsed(line: string): unknown {
  return JSON.parse(line)
}

/** The method and path that OpenSearch's own client uses for an operation. */
async function wireForm(operation: Operation, parameters: Record<string, unknown>): Promise<WireForm> {
  let sent: WireForm | undefined
  class Recorder extends Transport {
    override request({ method, path }: Parameters<Transport['request']>[0]): never {
      sent = { method, path }
      return Promise.resolve() as never
    }
  }
  const client = new Client({ node: 'http://stub.test', Transport: Recorder })
  await call(client, operation, parameters)
  return sent ?? { method: 'nothing', path: '' }
}

function call(client: Client, operation: Operation, parameters: Record<string, unknown>): Promise<unknown> {
  const given = parameters as never
  switch (operation) {
    case 'Search':
      return client.search(given)
    case 'Bulk':
      return client.bulk(given)
    case 'Count':
      return client.count(given)
    case 'Health':
      return client.cluster.health(given)
    case 'CreateIndex':
      return client.indices.create(given)
    case 'DeleteIndex':
      return client.indices.delete(given)
    case 'GetAlias':
      return client.indices.getAlias(given)
    case 'UpdateAliases':
      return client.indices.updateAliases(given)
    case 'GetMapping':
      return client.indices.getMapping(given)
    case 'PutMapping':
      return client.indices.putMapping(given)
    case 'Refresh':
      return client.indices.refresh(given)
    default:
      return operation satisfies never
  }
}
