import { isObject } from '../../ground/json/object.ts'
import { responseText } from '../../platform/response-text.client.ts'
import { ProviderError } from '../providers/provider.ts'
import { readBulk } from './open-search-answers.ts'

export interface OpenSearchOptions {
  /** Without a trailing slash. */
  url: string
  username: string | null
  password: string | null
  /** Indices are named after it. */
  prefix: string
  shards: number
  timeoutMs?: number
}

export interface BulkOperation {
  index: string
  id: string
  /** Of the store: an older write after a newer one is left out. */
  version: number
  /** Null: the document is deleted. */
  document: Record<string, unknown> | null
}

const timeoutMsDefault = 20_000
/** A page is 25 ids, a bulk write of 2,000 documents is answered by some 600 kB, a mapping by 4 kB. */
const answerBytesMax = 4 * 1024 * 1024
const busyStatuses = [429, 503]

/** The few calls of OpenSearch's REST interface that a lead index needs; each has a time limit. Throws ProviderError. */
export class OpenSearchClient {
  private readonly options: OpenSearchOptions

  constructor(options: OpenSearchOptions) {
    this.options = options
  }

  /** Null when it is not there (404). */
  async request(method: string, path: string, body?: unknown): Promise<Record<string, unknown> | null> {
    return this.send(method, path, body === undefined ? undefined : JSON.stringify(body), 'application/json')
  }

  /**
   * Writes as one call; answers what the cluster was too busy to take. Throws when any of it fails for another reason
   * than being older than what is there. Where an alias is required, none of it makes an index that is not there.
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
      const answer = await this.send('POST', path, `${lines.join('\n')}\n`, 'application/x-ndjson')
      const statuses = readBulk(answer, operations.length)
      return operations.filter((operation, index) => !isTaken(operation, statuses[index]!))
    } catch (error) {
      if (error instanceof ProviderError && busyStatuses.includes(error.status ?? 0)) return [...operations]
      throw error
    }
  }

  private async send(
    method: string,
    path: string,
    body: string | undefined,
    type: string,
  ): Promise<Record<string, unknown> | null> {
    const { url, username, password } = this.options
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
        signal: AbortSignal.timeout(this.options.timeoutMs ?? timeoutMsDefault),
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
      // The message of a failed fetch names hosts, never what was sent.
      throw new ProviderError(`no answer: ${(error as Error).name}`, null)
    }
  }
}

/** False: the cluster was too busy, and may be asked again. */
function isTaken({ document }: BulkOperation, status: number): boolean {
  if (busyStatuses.includes(status)) return false
  // 409: older than what is there; 404 of a deletion: deleted already.
  if (status < 300 || status === 409 || (status === 404 && document === null)) return true
  throw new ProviderError(`bulk item ${status}`, status)
}
