import { listCalls, type Endpoint } from '@overture/contract/endpoint.ts'
import { Models, type Json } from '@overture/contract/document/schemas.ts'
import { header, jsDoc, typeText } from './types-text.ts'

const componentPrefix = '#/components/schemas/'

/** Methods of resources besides their operations. */
const extras: Readonly<Record<string, string>> = {
  Events: `  /** Yields events as they happen, without an end. Uses the event stream if the server has one, else polls. */
  follow(options?: FollowOptions): AsyncGenerator<Event | UnknownEvent, void, undefined> {
    return follow(this.caller, options)
  }
`,
  CampaignsLeads: `  /** Adds any number of leads, a thousand per call. With a \`runKey\` an interrupted run can be repeated. */
  addAll(
    id: string,
    leads: Iterable<LeadItem> | AsyncIterable<LeadItem>,
    options?: AddAllOptions,
  ): Promise<AddAllResult> {
    return addAll(this.caller, id, leads, options)
  }
`,
}

interface Resource {
  name: string
  methods: Endpoint[]
  children: Map<string, Resource>
}

/** One class per resource and one method per operation, by the contract's calls: `campaigns.leads.add`. */
export function resourcesText(endpoints: readonly Endpoint[]): string {
  const root: Resource = { name: '', methods: [], children: new Map() }
  for (const endpoint of listCalls(endpoints)) if (endpoint.outputType !== 'text/event-stream') place(root, endpoint)
  const used = new Set<string>(['LeadItem'])
  const queries: string[] = []
  const classes = [...root.children.values()].flatMap((child) => writeClasses(child, { used, queries }))
  const fields = [...root.children.keys()].map(
    (name) => `  readonly ${name}: ${className(capitalised(name))} = new ${className(capitalised(name))}(this)\n`,
  )
  return [
    header(),
    `import { ApiPromise, PagePromise } from '../answers.ts'\n`,
    `import type { CallOptions, TextBody } from '../call.ts'\n`,
    `import { Caller, part, Resource } from '../caller.ts'\n`,
    `import { streaming, type StreamedOperation } from '../streams.ts'\n`,
    `import { addAll, type AddAllOptions, type AddAllResult } from '../add-all.ts'\n`,
    `import { follow, type FollowOptions } from '../follow.ts'\n`,
    `import type { UnknownEvent } from '../unknown-event.ts'\n`,
    `import type {\n${[...used]
      .sort()
      .map((name) => `  ${name},\n`)
      .join('')}} from './types.ts'\n\n`,
    queries.join('\n'),
    '\n',
    classes.join('\n'),
    `\n/** Every resource of the API. */\nexport class Resources extends Caller {\n${fields.join('')}}\n`,
  ].join('')
}

// Models use the names without a suffix.
function className(name: string): string {
  return `${name}Resource`
}

function place(root: Resource, endpoint: Endpoint): void {
  const parts = endpoint.call.split('.')
  let resource = root
  for (const part of parts.slice(0, -1)) {
    const child = resource.children.get(part) ?? {
      name: `${resource.name}${capitalised(part)}`,
      methods: [],
      children: new Map<string, Resource>(),
    }
    resource.children.set(part, child)
    resource = child
  }
  resource.methods.push(endpoint)
}

interface WrittenNames {
  used: Set<string>
  queries: string[]
}

function writeClasses(resource: Resource, written: WrittenNames): string[] {
  const children = [...resource.children].flatMap(([, child]) => writeClasses(child, written))
  const fields = [...resource.children].map(
    ([name, child]) => `  readonly ${name}: ${className(child.name)} = new ${className(child.name)}(this.caller)\n`,
  )
  const methods = resource.methods.flatMap((endpoint) => [
    methodText(endpoint, written),
    ...csvMethodsText(endpoint, written),
  ])
  return [
    ...children,
    `export class ${className(resource.name)} extends Resource {\n` +
      `${[...fields, ...methods, ...[extras[resource.name] ?? []].flat()].join('\n')}}\n`,
  ]
}

function methodText(endpoint: Endpoint, written: WrittenNames): string {
  const name = endpoint.call.split('.').at(-1) ?? ''
  const { parameters, sent } = writeParameters(endpoint, written)
  const { type, call } = writeAnswer(endpoint, written)
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, id: string) => `\${part(${id})}`)
  const quoted = path.includes('$') ? `\`${path}\`` : `'${path}'`
  const comment = jsDoc(writeComment(endpoint), '  ')
  const request = `{ ${[...sent, 'options'].join(', ')} }`
  const invoked =
    `(${[...parameters, 'options?: CallOptions'].join(', ')}): ${type} => ` +
    `this.caller.${call}('${endpoint.method}', ${quoted}, ${request})`
  if (endpoint.streams !== undefined) {
    const body = parameters[0]?.split(': ')[1] ?? 'unknown'
    return (
      `${comment}  readonly ${name}: StreamedOperation<${body}, ${type.replace(/^ApiPromise<(.*)>$/, '$1')}> = ` +
      `streaming(this.caller, ${quoted})\n`
    )
  }
  return `${comment}  ${name}${invoked.replace(' => ', ' {\n    return ')}\n  }\n`
}

/** A second method for an operation that also accepts its items as a CSV file. */
function csvMethodsText(endpoint: Endpoint, written: WrittenNames): string[] {
  const { csvItems, itemsField = '', ...rest } = endpoint
  if (csvItems === undefined) return []
  const columns = Object.keys(csvItems).join('`, `')
  const description =
    `Sends the items of \`${itemsField}\` as a CSV file. The first row contains the column names: \`${columns}\`. ` +
    (rest.description ?? '')
  return [methodText({ ...rest, call: `${rest.call}FromCsv`, bodyType: 'text/csv', description }, written)]
}

function writeComment({ summary, description, method, path, deprecated, always }: Endpoint): string {
  const text = description === undefined ? `${summary}.` : `${summary}. ${description}`
  const gone =
    deprecated === undefined
      ? ''
      : `\n@deprecated since ${deprecated.since}, removed on ${deprecated.sunset}: use ${deprecated.use}.`
  const fixedQuery = Object.keys(always ?? {}).map((name) => `${name}=true`)
  return `${text}\n\n\`${method} ${[path, ...fixedQuery].join('?')}\`${gone}`
}

function writeParameters(endpoint: Endpoint, written: WrittenNames): { parameters: string[]; sent: string[] } {
  const parameters = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => `${match[1]}: string`)
  const sent: string[] = []
  if (endpoint.bodyType !== undefined) {
    parameters.push('body: TextBody')
    sent.push('body', `type: '${endpoint.bodyType}'`)
  } else if (endpoint.body !== undefined) {
    const optional = endpoint.body.safeParse(undefined).success
    parameters.push(`body${optional ? '?' : ''}: ${modelName(endpoint.body, 'input', written)}`)
    sent.push('body')
  }
  if (endpoint.always !== undefined) sent.push(`query: ${JSON.stringify(endpoint.always)}`)
  else if (endpoint.query !== undefined) {
    const { name, required } = writeQuery(endpoint, written)
    parameters.push(`query${required ? '' : '?'}: ${name}`)
    sent.push('query')
  }
  // Without a caller the server can't store an answer for a repeated request.
  if (endpoint.open && endpoint.method === 'POST') sent.push('once: true')
  return { parameters, sent }
}

function writeQuery(endpoint: Endpoint, written: WrittenNames): { name: string; required: boolean } {
  const name = `${capitalised(endpoint.operationId)}Query`
  const schema = withoutFile(new Models().inlined(endpoint.query!, 'input'))
  const text = typeText(schema, '')
  note(text, written)
  written.queries.push(`export interface ${name} ${text}\n`)
  return { name, required: ((schema['required'] as string[] | undefined) ?? []).length > 0 }
}

// The methods read a list as JSON. The CSV file is downloaded with `fetch` or a link.
function withoutFile(schema: Json): Json {
  const { format, environment, ...properties } = schema['properties'] as Record<string, Json>
  return 'cursor' in properties && format !== undefined && environment !== undefined
    ? { ...schema, properties }
    : schema
}

function writeAnswer(endpoint: Endpoint, written: WrittenNames): { type: string; call: string } {
  if (endpoint.outputType === 'application/octet-stream') return { type: 'ApiPromise<Uint8Array>', call: 'bytes' }
  if (endpoint.outputType !== undefined) return { type: 'ApiPromise<string>', call: 'text' }
  const model = modelName(endpoint.output, 'output', written)
  const item = listedItem(endpoint)
  if (item === null) return { type: `ApiPromise<${model}>`, call: 'call' }
  note(item, written)
  return { type: `PagePromise<${item}, ${model}>`, call: 'list' }
}

/** The item type of a list with a cursor. */
function listedItem(endpoint: Endpoint): string | null {
  const models = new Models()
  const { $ref } = models.reference(endpoint.output, 'output')
  const properties = models.definitions()[nameOfReference($ref)]?.['properties'] as Record<string, Json> | undefined
  if (properties === undefined || !('nextCursor' in properties)) return null
  return typeText(properties['results']?.['items'] as Json, '')
}

function modelName(schema: Endpoint['output'], io: 'input' | 'output', written: WrittenNames): string {
  const name = nameOfReference(new Models().reference(schema, io)['$ref'])
  written.used.add(name)
  return name
}

// Every capitalized word in a type is a model, except the types of TypeScript itself.
function note(text: string, { used }: WrittenNames): void {
  for (const [name] of text.replaceAll(/\/\*\*[^]*?\*\/|"[^"]*"/g, '').matchAll(/\b[A-Z]\w+\b/g))
    if (name !== 'Array' && name !== 'Record') used.add(name)
}

function nameOfReference(reference: unknown): string {
  return String(reference).slice(componentPrefix.length)
}

function capitalised(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}
