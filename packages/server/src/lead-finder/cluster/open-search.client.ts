import { isObject } from '@overture/ground/json/object.ts'
import { responseText } from '../../platform/response-text.client.ts'
import { ProviderError } from '../providers/provider.ts'
import { readBulk } from './open-search-answers.ts'

export interface OpenSearchOptions {
  /** Without a trailing slash. */
  url: string
  username: string | null
  password: string | null
  /** The prefix of the names of indices. */
  prefix: string
  shards: number
  timeoutMs?: number
}

export interface BulkOperation {
  index: string
  id: string
  /** The version of the store. A write with an older version than the stored one is ignored. */
  version: number
  /** Null deletes the document. */
  document: Record<string, unknown> | null
}

const timeoutMsDefault = 20_000
/** A page has 25 ids, the answer to a bulk write of 2,000 documents some 600 kB, and a mapping 4 kB. */
const answerBytesMax = 4 * 1024 * 1024
const busyStatuses = [429, 503]

/** The few calls of OpenSearch's REST interface that the lead index needs, each with a time limit. Throws ProviderError. */
export class OpenSearchClient {
  readonly #options: OpenSearchOptions

  constructor(options: OpenSearchOptions) {
    this.#options = options
  }

  /** Null if the target doesn't exist (404). */
  async request(method: string, path: string, body?: unknown): Promise<Record<string, unknown> | null> {
    return this.#send(method, path, body === undefined ? undefined : JSON.stringify(body), 'application/json')
  }

  /**
   * Writes operations in one call. Returns those for which the cluster was too busy. Throws if an operation fails for any other
   * reason than being older than the stored document. `isAliasRequired` prevents a write from creating a missing index.
   */
  async bulk(operations: readonly BulkOperation[], isAliasRequired: boolean): Promise<BulkOperation[]> {
    if (operations.length === 0) return []
    const lines = operations.flatMap(({ index, id, version, document }) => {
      const meta = { _index: index, _id: id, version, version_type: 'external_gte' }
      return document === null
        ? [JSON.stringify({ delete: meta })]
        : [JSON.stringify({ index: meta }), JSON.stringify(document)]
    })
    const path = isAliasRequired ? '/_bulk?require_alias=true' : '/_bulk'
    try {
      const answer = await this.#send('POST', path, `${lines.join('\n')}\n`, 'application/x-ndjson')
      const statuses = readBulk(answer, operations.length)
      return operations.filter((operation, index) => !isTaken(operation, statuses[index]!))
    } catch (error) {
      if (error instanceof ProviderError && busyStatuses.includes(error.status ?? 0)) return [...operations]
      throw error
    }
  }

  async #send(
    method: string,
    path: string,
    body: string | undefined,
    type: string,
  ): Promise<Record<string, unknown> | null> {
    const { url, username, password } = this.#options
    const login = username === null ? null : Buffer.from(`${username}:${password ?? ''}`).toString('base64')
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': type }),
          ...(login !== null && { authorization: `Basic ${login}` }),
        },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(this.#options.timeoutMs ?? timeoutMsDefault),
      })
      const text = await responseText(response, answerBytesMax)
      if (response.status === 404) return null
      if (!response.ok) throw new ProviderError(`status ${response.status}`, response.status)
      if (text === null) throw new ProviderError('answer too large', response.status)
      const answer: unknown = JSON.parse(text)
      if (!isObject(answer)) throw new ProviderError('not an object', response.status)
      return answer
    } catch (error) {
      if (error instanceof ProviderError) throw error
      // The message of a failed fetch contains host names, but never request data.
      throw new ProviderError(`no answer: ${(error as Error).name}`, null)
    }
  }
}

/** False if the cluster was too busy and the operation may be retried. */
function isTaken({ document }: BulkOperation, status: number): boolean {
  if (busyStatuses.includes(status)) return false
  // 409 means older than the stored document. 404 for a deletion means already deleted.
  if (status < 300 || status === 409 || (status === 404 && document === null)) return true
  throw new ProviderError(`bulk item ${status}`, status)
}
