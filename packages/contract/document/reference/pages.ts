import {
  schemaName,
  listOperations,
  type DocumentResponse,
  type Operation,
  type ReferenceDocument,
} from './document.ts'
import { describeBounds, cell, fieldsTable, mentionedBy, describeType, type LinkTo } from './schemas.ts'
import { codeSnippets } from './snippets.ts'

const eventsPage = 'event-types'
const errorsPage = 'errors'

/** The pages of the reference by their name below `reference/`, as Markdown: one for each resource, one for events and one for errors. */
export function referencePages(document: ReferenceDocument): ReadonlyMap<string, string> {
  const homes = findHomes(document)
  const operations = listOperations(document)
  const pages = new Map<string, string>()
  for (const { name, description } of document.tags) {
    const slug = tagSlug(name)
    const own = operations.filter(({ tags }) => tags[0] === name)
    pages.set(slug, resourcePage({ document, slug, title: name, description, operations: own, homes }))
  }
  pages.set(eventsPage, eventsText(document, homes))
  pages.set(errorsPage, errorsText(document))
  return pages
}

export function tagSlug(tag: string): string {
  return tag.toLowerCase().replaceAll(/[^a-z]+/g, '-')
}

type Homes = ReadonlyMap<string, string>

/** Describes every object on one page: the first page that mentions it directly or through another object. */
function findHomes(document: ReferenceDocument): Homes {
  const homes = new Map<string, string>([['Error', errorsPage]])
  const { schemas } = document.components
  const settle = (name: string, page: string): void => {
    if (homes.has(name)) return
    homes.set(name, page)
    for (const next of mentionedBy(schemas[name])) settle(next, page)
  }
  for (const operation of listOperations(document)) {
    const { parameters, requestBody, responses } = operation
    const answers = Object.values(responses).filter(({ $ref }) => $ref === undefined)
    const mentioned = mentionedBy([parameters, requestBody?.content, answers.map(({ content }) => content)])
    for (const name of mentioned) if (name in schemas) settle(name, tagSlug(operation.tags[0]!))
  }
  for (const { post } of Object.values(document.webhooks))
    for (const name of mentionedBy(post.requestBody?.content)) settle(name, eventsPage)
  return homes
}

interface ResourcePage {
  document: ReferenceDocument
  slug: string
  title: string
  description: string
  operations: readonly Operation[]
  homes: Homes
}

function resourcePage({ document, slug, title, description, operations, homes }: ResourcePage): string {
  const linkTo = linksFrom(slug, homes)
  const overview = operations.map(
    (one) =>
      `| [${cell(one.summary)}](#${operationAnchor(one)}) | \`${one.method} ${one.path}\` | ${one['x-required-scope'] ?? 'none'} | ` +
      `${one['x-role'] ?? 'none'} |`,
  )
  return [
    `# ${title}`,
    description,
    ['| operation | request | scope | role |', '|---|---|---|---|', ...overview].join('\n'),
    ...operations.map((one) => operationText(document, one, linkTo)),
    objectsText(document, slug, homes),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

function operationAnchor(operation: Operation): string {
  return operation['x-sdk-method'].replaceAll('.', '-').toLowerCase()
}

function operationText(document: ReferenceDocument, operation: Operation, linkTo: LinkTo): string {
  return [
    `## ${operation.summary} {#${operationAnchor(operation)}}`,
    `\`${operation.method} ${operation.path}\``,
    operation.description,
    parametersText(operation, linkTo),
    bodyText(operation, linkTo),
    codeSnippets(operation),
    answersText(operation, linkTo),
    listErrors(document, operation),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function parametersText({ parameters = [] }: Operation, linkTo: LinkTo): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(({ name, in: where, required, description = '', schema }) => {
    const meaning = [description, describeBounds(schema)].filter((one) => one !== '').join(' ')
    return `| \`${name}\`${required ? '' : '?'} | ${where} | ${cell(describeType(schema, linkTo))} | ${cell(meaning)} |`
  })
  return ['| parameter | in | type | |', '|---|---|---|---|', ...rows].join('\n')
}

function bodyText({ requestBody }: Operation, linkTo: LinkTo): string {
  const [first] = Object.entries(requestBody?.content ?? {})
  if (first === undefined) return ''
  const [type, { schema = {} }] = first
  const body = [type === 'application/json' ? '' : type, describeType(schema, linkTo)]
    .filter((one) => one !== '')
    .join(': ')
  return `**Body:** ${body}. ${requestBody?.description ?? ''}`.trim()
}

function answersText({ responses }: Operation, linkTo: LinkTo): string {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const kinds = good.map(([status, { content = {} }]) => {
    const types = Object.entries(content).map(([type, { schema = {} }]) =>
      type === 'application/json' ? describeType(schema, linkTo) : `\`${type}\``,
    )
    return `\`${status}\` ${types.join(' or ')}`
  })
  const example = good[0]?.[1].content?.['application/json']?.example
  const shown = example === undefined ? '' : `\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``
  return `**Answer:** ${kinds.join(', ')}.${shown}`
}

function listErrors(document: ReferenceDocument, { responses }: Operation): string {
  const codes = Object.values(responses).flatMap((response) => Object.keys(listExamples(resolved(document, response))))
  return `**Errors:** ${codes.map((code) => `[${code}](./errors#${code.toLowerCase()})`).join(', ')}.`
}

function resolved({ components }: ReferenceDocument, response: DocumentResponse & { $ref?: string }): DocumentResponse {
  return response.$ref === undefined ? response : components.responses[schemaName(response)!]!
}

function listExamples({ content }: DocumentResponse) {
  return content?.['application/json']?.examples ?? {}
}

function objectsText({ components }: ReferenceDocument, page: string, homes: Homes): string {
  const names = [...homes].filter(([, home]) => home === page).map(([name]) => name)
  if (names.length === 0) return ''
  const linkTo = linksFrom(page, homes)
  const texts = names.toSorted().map((name) => {
    const schema = components.schemas[name] ?? {}
    const description = schema.description === undefined ? '' : `${schema.description}\n\n`
    return `### ${name} {#${objectAnchor(name)}}\n\n${description}${fieldsTable(schema, linkTo)}`
  })
  return ['## Objects', 'A question mark marks fields that may be missing.', ...texts].join('\n\n')
}

function linksFrom(page: string, homes: Homes): LinkTo {
  return (name) => {
    const home = homes.get(name)
    if (home === undefined) return null
    return `${home === page ? '' : `./${home}`}#${objectAnchor(name)}`
  }
}

// Another heading of the page may have the same name, so the anchor has a prefix.
function objectAnchor(name: string): string {
  return `object-${name.toLowerCase()}`
}

function eventsText(document: ReferenceDocument, homes: Homes): string {
  const types = Object.entries(document.webhooks)
  const linkTo = linksFrom(eventsPage, homes)
  const texts = types.map(([type, { post }]) => {
    const media = post.requestBody?.content['application/json']
    const example = `\`\`\`json\n${JSON.stringify(media?.example, null, 2)}\n\`\`\``
    return `## ${type} {#${type.replaceAll(/[._]/g, '-')}}\n\n${describeType(media?.schema ?? {}, linkTo)}\n\n${example}`
  })
  return [
    '# Types of events',
    'Everything that happens is one event of the log. It is read at `GET /v2/events`, followed at `GET /v2/events/stream`, and posted to ' +
      'webhooks in the same form; its id is the same in all of them.',
    ...texts,
    objectsText(document, eventsPage, homes),
  ]
    .join('\n\n')
    .concat('\n')
}

function errorsText(document: ReferenceDocument): string {
  const responses = Object.values(document.components.responses)
  const statuses = new Map(
    listOperations(document).flatMap(({ responses: answers }) =>
      Object.entries(answers).flatMap(([status, answer]) =>
        Object.keys(listExamples(resolved(document, answer))).map((code) => [code, status] as const),
      ),
    ),
  )
  const codes = new Map(responses.flatMap((response) => Object.entries(listExamples(response))))
  const texts = [...codes].map(([code, { value }]) =>
    [
      `## ${code} {#${code.toLowerCase()}}`,
      `Status \`${statuses.get(code) ?? ''}\`.`,
      `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``,
    ].join('\n\n'),
  )
  return [
    '# Errors',
    'A refusal is `{error: {code, message, request_id, details?}}`. Decide by `code`, show `message`, and give `request_id` to ' +
      'the operator of the server. All problems of a body are listed at once, each with its path; a `CONFLICT` says what the ' +
      'status is and what could be done instead.',
    ...texts,
    objectsText(document, errorsPage, findHomes(document)),
  ]
    .join('\n\n')
    .concat('\n')
}
