import { isObject } from '../../ground/json/object.ts'
import { responseText } from '../../platform/response-text.client.ts'
import { ProviderError } from '../providers/provider.ts'

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
const answerBytesMax = 64 * 1024 * 1024

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

  /** Writes as one call; throws when any of it fails for another reason than being older than what is there. */
  async bulk(operations: readonly BulkOperation[]): Promise<void> {
    if (operations.length === 0) return
    const lines = operations.flatMap(({ index, id, version, document }) => {
      const meta = { _index: index, _id: id, version, version_type: 'external_gte' }
      return document === null
        ? [JSON.stringify({ delete: meta })]
        : [JSON.stringify({ index: meta }), JSON.stringify(document)]
    })
    const answer = await this.send('POST', '/_bulk', `${lines.join('\n')}\n`, 'application/x-ndjson')
    const items = Array.isArray(answer?.['items']) ? (answer['items'] as unknown[]) : []
    if (items.length !== operations.length) throw new ProviderError('a bulk write was not answered whole', null)
    for (const item of items) {
      const result = isObject(item) ? Object.values(item)[0] : null
      const status = isObject(result) ? Number(result['status']) : 500
      // 409: older than what is there; 404: deleted already.
      if (status >= 300 && status !== 409 && status !== 404) throw new ProviderError(`bulk item ${status}`, status)
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
