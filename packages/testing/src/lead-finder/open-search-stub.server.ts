import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { OpenSearchDescription } from './open-search-description.ts'
import { matches, computeScore, type Document, type Query } from './open-search-query-evaluation.ts'

interface Index {
  definition: { settings: { index: { max_result_window: number } }; mappings: { _meta?: object } }
  documents: Map<string, { version: number; source: Document | null }>
  /** The documents that searches find: those of the last refresh. */
  visible: Map<string, Document>
  aliases: Set<string>
}

export interface Call {
  method: string
  path: string
  authorization: string | undefined
}

type Answer = { status: number; body: unknown }
type Body = Record<string, unknown>

const acknowledged: Answer = { status: 200, body: { acknowledged: true } }
const shards = { total: 1, successful: 1, skipped: 0, failed: 0 }

/**
 * A search cluster in memory on a local port that evaluates the adapter's requests as OpenSearch documents. With a description, a
 * request or a response of this stub that doesn't match it gets a 400 and is added to `problems`.
 */
export class OpenSearchStub {
  calls: Call[] = []
  problems: string[] = []
  /** Replaces the response, unless it returns undefined. With `hang` the stub never responds. Promises are awaited. */
  fail: (call: Call) => Answer | 'hang' | undefined | Promise<Answer | undefined> = () => undefined
  readonly indices = new Map<string, Index>()
  readonly #description: OpenSearchDescription | null
  readonly #http: Server = createServer((request, response) => void this.#handle(request, response))

  constructor(description: OpenSearchDescription | null = null) {
    this.#description = description
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#http.closeAllConnections()
    await new Promise((resolve) => this.#http.close(resolve))
  }

  /** The name of the index with this alias or this name. */
  behind(name: string): string | undefined {
    return this.indices.has(name) ? name : [...this.indices].find(([, index]) => index.aliases.has(name))?.[0]
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const written = await text(request)
    const { url: target = '', method = '' } = request
    const path = decodeURIComponent(new URL(target, 'http://stub.test').pathname)
    const call = { method, path, authorization: request.headers.authorization }
    this.calls.push(call)
    const wrong = await this.#description?.problemsOfRequest({
      method,
      target,
      contentType: request.headers['content-type'],
      body: written,
    })
    const planned = await this.fail(call)
    if (planned === 'hang') return
    const answer = wrong?.length ? this.#refused(wrong) : (planned ?? this.#described(call, target, written))
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
  }

  #described(call: Call, target: string, written: string): Answer {
    const answer = this.#answer(call, written, new URL(target, 'http://stub.test').searchParams)
    const wrong = answer.status === 200 ? this.#description?.problemsOfAnswer(call.method, target, answer.body) : []
    return wrong?.length ? this.#refused(wrong) : answer
  }

  #refused(problems: readonly string[]): Answer {
    this.problems.push(...problems)
    return { status: 400, body: { error: problems } }
  }

  #answer({ method, path }: Call, written: string, parameters: URLSearchParams): Answer {
    const [, first = '', second = ''] = path.split('/')
    if (first === '_bulk') return this.#bulk(written, parameters.get('require_alias') === 'true')
    if (first === '_cluster') return { status: 200, body: health(this.indices.size) }
    const body = JSON.parse(written || '{}') as Body
    if (first === '_aliases') return this.#moveAliases(body['actions'] as AliasAction[])
    if (second === '_alias') return { status: 200, body: this.#aliasesOf(first) }
    if (method === 'PUT' && second === '') return this.#create(first, body)
    const name = this.behind(first)
    if (name === undefined) return { status: 404, body: { error: { type: 'index_not_found_exception' } } }
    const index = this.indices.get(name)!
    switch (`${method} ${second}`) {
      case 'DELETE ':
        if (name !== first) return { status: 400, body: { error: 'an alias is not deleted' } }
        this.indices.delete(name)
        return acknowledged
      case 'GET _mapping':
        return { status: 200, body: { [name]: { mappings: index.definition.mappings } } }
      case 'POST _mapping':
        Object.assign(index.definition.mappings, body)
        return acknowledged
      case 'GET _refresh':
        index.visible = new Map(
          [...index.documents].flatMap(([id, { source }]) => (source === null ? [] : [[id, source] as const])),
        )
        return { status: 200, body: { _shards: { total: 1, successful: 1, failed: 0 } } }
      case 'POST _count':
        return { status: 200, body: { count: index.visible.size, _shards: shards } }
      case 'POST _search':
        return search(name, index, body)
      default:
        return { status: 405, body: {} }
    }
  }

  #create(name: string, body: Body): Answer {
    if (this.behind(name) !== undefined) return { status: 400, body: { error: 'resource_already_exists_exception' } }
    const definition = body as unknown as Index['definition']
    this.indices.set(name, { definition, documents: new Map(), visible: new Map(), aliases: new Set() })
    return { status: 200, body: { acknowledged: true, shards_acknowledged: true, index: name } }
  }

  #aliasesOf(pattern: string): Body {
    const matching = new RegExp(`^${pattern.replaceAll('*', '.*')}$`)
    const found = [...this.indices].filter(([name]) => matching.test(name))
    return Object.fromEntries(
      found.map(([name, { aliases }]) => [
        name,
        { aliases: Object.fromEntries([...aliases].map((alias) => [alias, {}])) },
      ]),
    )
  }

  // Changes all aliases or none: an unknown name rejects the whole request.
  #moveAliases(actions: readonly AliasAction[]): Answer {
    for (const { add, remove } of actions) {
      const index = this.indices.get((add ?? remove)!.index)
      if (!index || (remove && !index.aliases.has(remove.alias)))
        return { status: 404, body: { error: 'no such index' } }
    }
    for (const { add, remove } of actions) {
      if (remove) this.indices.get(remove.index)!.aliases.delete(remove.alias)
      if (add) this.indices.get(add.index)!.aliases.add(add.alias)
    }
    return acknowledged
  }

  #bulk(written: string, isAliasRequired: boolean): Answer {
    const lines = written
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Body)
    const items: object[] = []
    while (lines.length > 0) {
      const [[action, meta]] = Object.entries(lines.shift()!) as [[string, { _index: string; _id: string }]]
      const source = action === 'index' ? (lines.shift() as Document) : null
      const status = this.#write(meta, source, isAliasRequired)
      items.push({ [action]: { _index: meta._index, _id: meta._id, status } })
    }
    return { status: 200, body: { took: 1, errors: items.some((item) => !isWritten(item)), items } }
  }

  #write(meta: { _index: string; _id: string }, source: Document | null, isAliasRequired: boolean): number {
    const { _index: name, _id: id } = meta
    const behind = this.behind(name)
    if (isAliasRequired && (behind === undefined || behind === name)) return 404
    // A write to a missing index creates it with guessed types.
    if (behind === undefined) this.#create(name, { settings: { index: { max_result_window: 10_000 } }, mappings: {} })
    const { documents } = this.indices.get(behind ?? name)!
    const version = Number((meta as Body)['version'])
    if ((documents.get(id)?.version ?? -1) > version) return 409
    const isThere = documents.get(id)?.source !== undefined && documents.get(id)!.source !== null
    documents.set(id, { version, source })
    return source === null && !isThere ? 404 : 200
  }
}

interface AliasAction {
  add?: { index: string; alias: string }
  remove?: { index: string; alias: string }
}

function isWritten(item: object): boolean {
  return Object.values(item as Record<string, { status: number }>)[0]!.status < 300
}

function health(indices: number): Body {
  const none = {
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: indices,
    delayed_unassigned_shards: 0,
    number_of_pending_tasks: 0,
    number_of_in_flight_fetch: 0,
    task_max_waiting_in_queue_millis: 0,
  }
  const shardsOf = { active_primary_shards: indices, active_shards: indices, active_shards_percent_as_number: 50 }
  return {
    cluster_name: 'stub',
    status: 'yellow',
    timed_out: false,
    number_of_nodes: 1,
    number_of_data_nodes: 1,
    discovered_master: true,
    discovered_cluster_manager: true,
    ...shardsOf,
    ...none,
  }
}

function search(name: string, index: Index, body: Body): Answer {
  const from = Number(body['from'] ?? 0)
  const size = Number(body['size'] ?? 10)
  if (from + size > index.definition.settings.index.max_result_window) {
    return { status: 400, body: { error: 'Result window is too large' } }
  }
  const query = body['query'] as Query
  const found = [...index.visible]
    .filter(([, source]) => matches(query, source))
    .map(([id, source]) => ({ id, source, score: computeScore(query, source) }))
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
  const hits = found.slice(from, from + size).map(({ id, score }) => ({ _index: name, _id: id, _score: score }))
  return {
    status: 200,
    body: {
      took: 1,
      timed_out: false,
      _shards: shards,
      hits: { total, hits },
      ...(body['aggs'] ? { aggregations: { values: terms(found, body) } } : {}),
    },
  }
}

function terms(found: readonly { source: Document }[], body: Body): Body {
  const aggregation = body['aggs'] as { values: { terms: { field: string; size: number; include: string } } }
  const { field, size, include } = aggregation.values.terms
  const pattern = new RegExp(`^(?:${include})$`, 'su')
  const counts = new Map<string, number>()
  for (const { source } of found) {
    for (const key of [source[field] ?? []].flat() as string[]) {
      if (pattern.test(key)) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  const all = [...counts].toSorted((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1))
  const buckets = all.slice(0, size).map(([key, count]) => ({ key, doc_count: count }))
  return { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets }
}
