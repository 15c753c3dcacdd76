import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { matches, scoreOf, type Document, type Query } from './open-search-query-evaluation.ts'

interface Index {
  definition: { settings: { index: { max_result_window: number } }; mappings: { _meta?: object } }
  documents: Map<string, { version: number; source: Document | null }>
  /** What searches see: documents as they were at the last refresh. */
  visible: Map<string, Document>
}

export interface Call {
  method: string
  path: string
  authorization: string | undefined
}

type Answer = { status: number; body: unknown }
type Body = Record<string, unknown>

/** A search cluster on this machine, in memory: evaluates what the adapter sends, as OpenSearch documents it. */
export class OpenSearchStub {
  calls: Call[] = []
  /** An answer instead of its own; undefined: its own. `hang` answers nothing. */
  fail: (call: Call) => Answer | 'hang' | undefined = () => undefined
  readonly indices = new Map<string, Index>()
  private readonly http: Server = createServer((request, response) => void this.handle(request, response))

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.http.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.http.closeAllConnections()
    await new Promise((resolve) => this.http.close(resolve))
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const written = await text(request)
    const path = new URL(request.url!, 'http://stub.test').pathname
    const call = { method: request.method!, path, authorization: request.headers.authorization }
    this.calls.push(call)
    const planned = this.fail(call)
    if (planned === 'hang') return
    const answer = planned ?? this.answer(call, written)
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer.body))
  }

  private answer({ method, path }: Call, written: string): Answer {
    const [, first = '', second = ''] = path.split('/')
    if (first === '_bulk') return this.bulk(written)
    if (first === '_cluster') return { status: 200, body: { status: 'yellow', timed_out: false } }
    const body = JSON.parse(written || '{}') as Body
    if (method === 'PUT' && second === '') {
      if (this.indices.has(first)) return { status: 400, body: { error: 'resource_already_exists_exception' } }
      const definition = body as unknown as Index['definition']
      this.indices.set(first, { definition, documents: new Map(), visible: new Map() })
      return { status: 200, body: { acknowledged: true } }
    }
    const index = this.indices.get(first)
    if (!index) return { status: 404, body: { error: 'index_not_found_exception' } }
    switch (`${method} ${second}`) {
      case 'DELETE ':
        this.indices.delete(first)
        return { status: 200, body: { acknowledged: true } }
      case 'GET _mapping':
        return { status: 200, body: { [first]: { mappings: index.definition.mappings } } }
      case 'PUT _mapping':
        Object.assign(index.definition.mappings, body)
        return { status: 200, body: { acknowledged: true } }
      case 'POST _refresh':
        index.visible = new Map(
          [...index.documents].flatMap(([id, { source }]) => (source === null ? [] : [[id, source] as const])),
        )
        return { status: 200, body: { _shards: { failed: 0 } } }
      case 'POST _count':
        return { status: 200, body: { count: index.visible.size } }
      case 'POST _search':
        return search(index, body)
      default:
        return { status: 405, body: {} }
    }
  }

  private bulk(written: string): Answer {
    if (!written.endsWith('\n')) return { status: 400, body: { error: 'must be terminated by a newline' } }
    const lines = written
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Body)
    const items: object[] = []
    while (lines.length > 0) {
      const [[action, meta]] = Object.entries(lines.shift()!) as [[string, Record<string, never>]]
      const source = action === 'index' ? (lines.shift() as Document) : null
      const { documents } = this.indices.get(meta['_index']!)!
      const version = Number(meta['version'])
      const isOld = (documents.get(meta['_id']!)?.version ?? -1) > version
      if (!isOld) documents.set(meta['_id']!, { version, source })
      items.push({ [action]: { _id: meta['_id'], status: isOld ? 409 : 200 } })
    }
    return { status: 200, body: { errors: false, items } }
  }
}

function search(index: Index, body: Body): Answer {
  const from = Number(body['from'] ?? 0)
  const size = Number(body['size'] ?? 10)
  if (from + size > index.definition.settings.index.max_result_window) {
    return { status: 400, body: { error: 'Result window is too large' } }
  }
  const query = body['query'] as Query
  const found = [...index.visible]
    .filter(([, source]) => matches(query, source))
    .map(([id, source]) => ({ id, source, score: scoreOf(query, source) }))
  const sort = (body['sort'] ?? []) as Record<string, 'asc' | 'desc'>[]
  found.sort((left, right) => {
    for (const [[field, order]] of sort.map((each) => Object.entries(each) as [[string, string]])) {
      const value = ({ source, score }: typeof left) => (field === '_score' ? score : Number(source[field!]))
      const difference = value(left) - value(right)
      if (difference !== 0) return order === 'desc' ? -difference : difference
    }
    return 0
  })
  // Without track_total_hits OpenSearch stops counting at 10,000.
  const isExact = body['track_total_hits'] === true
  const total = { value: isExact ? found.length : Math.min(found.length, 10_000), relation: isExact ? 'eq' : 'gte' }
  const hits = found.slice(from, from + size).map(({ id }) => ({ _id: id }))
  return {
    status: 200,
    body: {
      timed_out: false,
      _shards: { total: 1, failed: 0 },
      hits: { total, hits },
      ...(body['aggs'] ? { aggregations: { values: { buckets: buckets(found, body) } } } : {}),
    },
  }
}

function buckets(found: readonly { source: Document }[], body: Body): { key: string; doc_count: number }[] {
  const aggregation = body['aggs'] as { values: { terms: { field: string; size: number; include: string } } }
  const { field, size, include } = aggregation.values.terms
  const pattern = new RegExp(`^(?:${include})$`, 'su')
  const counts = new Map<string, number>()
  for (const { source } of found) {
    for (const key of [source[field] ?? []].flat() as string[]) {
      if (pattern.test(key)) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return [...counts]
    .toSorted((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1))
    .slice(0, size)
    .map(([key, count]) => ({ key, doc_count: count }))
}
