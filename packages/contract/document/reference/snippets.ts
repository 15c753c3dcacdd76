import type { Operation, Parameter } from './document.ts'

const streamType = 'text/event-stream'
const bytesType = 'application/octet-stream'

/** The file that an example sends as a body, by media type. */
const files: Readonly<Record<string, string>> = { 'text/csv': 'leads.csv', [bytesType]: 'report.xml.gz' }

/** The same call in each language, to be copied after `OVERTURE_URL` and `OVERTURE_API_KEY` are set. */
export function codeSnippets(operation: Operation): string {
  const tabs = [['curl', 'sh', writeCurl(operation)]]
  if (operation.security?.length !== 0 && !streams(operation)) {
    tabs.push(['TypeScript', 'ts', writeTypescript(operation)], ['CLI', 'sh', writeCli(operation)])
  }
  const fences = tabs.map(([title, language, text]) => `\`\`\`${language} [${title}]\n${text}\n\`\`\``)
  return `::: code-group\n\n${fences.join('\n\n')}\n\n:::`
}

function writeCurl(operation: Operation): string {
  const { method, path } = operation
  const words = [method === 'GET' ? 'curl -sS' : `curl -sS -X ${method}`]
  const parameters = requiredQuery(operation).map(({ name, schema }) => `${name}=${String(exampleQuery(name, schema))}`)
  const query = parameters.length === 0 ? '' : `?${parameters.join('&')}`
  words.push(`"$OVERTURE_URL${path.replaceAll(/\{(\w+)\}/g, (_, name) => `$${variable(path, name)}`)}${query}"`)
  if (operation.security?.length !== 0) words.push('-H "Authorization: Bearer $OVERTURE_API_KEY"')
  if (streams(operation)) words.push(`-H 'Accept: ${streamType}' --max-time 10`)
  const body = exampleBody(operation)
  if (body !== null && files[body.type] !== undefined)
    words.push(`-H 'Content-Type: ${body.type}' --data-binary @${files[body.type]}`)
  else if (body !== null) words.push(`-H 'Content-Type: application/json' -d ${quoted(pretty(body.example))}`)
  return words.join(' \\\n  ')
}

function writeTypescript(operation: Operation): string {
  const ids = pathIds(operation).map((name) => camel(variable(operation.path, name)))
  const body = exampleBody(operation)
  const given = [...ids]
  if (body?.type === 'text/csv') given.push("'email,firstName\\nada@example.com,Ada\\n'")
  else if (body?.type === bytesType) given.push(`await openAsBlob('${files[bytesType]}')`)
  else if (body !== null) given.push(literal(body.example))
  const query = requiredQuery(operation)
  if (query.length > 0)
    given.push(literal(Object.fromEntries(query.map(({ name, schema }) => [name, exampleQuery(name, schema)]))))
  const call = `const answer = await overture.${operation['x-sdk-method']}(${given.join(', ')})`
  return body?.type === bytesType ? `import { openAsBlob } from 'node:fs'\n\n${call}` : call
}

function writeCli(operation: Operation): string {
  const words = [`npx overture api ${operation['x-sdk-method']}`]
  for (const name of pathIds(operation)) words.push(`"$${variable(operation.path, name)}"`)
  const body = exampleBody(operation)
  if (body !== null && files[body.type] !== undefined) words.push(`-d @${files[body.type]}`)
  else if (body !== null) words.push(`-d ${quoted(JSON.stringify(body.example))}`)
  for (const { name, schema } of requiredQuery(operation))
    words.push(`-q ${name}=${String(exampleQuery(name, schema))}`)
  return words.join(' ')
}

/** Whether the only answer is a stream. An operation that returns JSON unless a stream is requested is called like any other operation. */
function streams({ responses }: Operation): boolean {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const types = good.flatMap(([, { content = {} }]) => Object.keys(content))
  return types.length > 0 && types.every((type) => type === streamType)
}

function exampleBody({ requestBody }: Operation): { type: string; example: unknown } | null {
  const [first] = Object.entries(requestBody?.content ?? {})
  return first === undefined ? null : { type: first[0], example: first[1].example ?? {} }
}

function pathIds({ path }: Operation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
}

function requiredQuery({ parameters = [] }: Operation): Parameter[] {
  return parameters.filter((one) => one.in === 'query' && one.required)
}

const queryExamples: Readonly<Record<string, string | number>> = {
  field: 'jobTitle',
  q: 'eng',
  groupBy: 'weekday,hour',
  domain: 'example.com',
  calendar: 'DE',
  year: 2027,
}

function exampleQuery(name: string, schema: Parameter['schema']): unknown {
  return queryExamples[name] ?? schema.enum?.[0] ?? 'value'
}

/**
 * The variable for a path parameter. `/v2/campaigns/{id}` has `$CAMPAIGN_ID`, after the noun before it, because `id` alone says too little.
 */
export function variable(path: string, name: string): string {
  if (name !== 'id') return snake(name)
  const before = path.slice(0, path.indexOf('/{id}')).split('/').at(-1) ?? ''
  return before === 'leads' ? 'PERSON_ID' : `${snake(before.replace(/ies$/, 'y').replace(/s$/, ''))}_ID`
}

function snake(name: string): string {
  return name
    .replaceAll('-', '_')
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()
}

function camel(name: string): string {
  return name.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function pretty(value: unknown): string {
  const line = JSON.stringify(value)
  return line.length <= lineCharactersMax ? line : JSON.stringify(value, null, 2)
}

const lineCharactersMax = 60

/** Quotes a text for a shell, in single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

// A value as people write it in code: names without quotes, texts in single quotes.
function literal(value: unknown): string {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).map(
    ([name, one]) => `${/^\w+$/.test(name) ? name : `'${name}'`}: ${literal(one)}`,
  )
  const line = `{ ${fields.join(', ')} }`
  return line.length <= lineCharactersMax || fields.length === 0
    ? line
    : `{\n  ${fields.map(indented).join(',\n  ')},\n}`
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
