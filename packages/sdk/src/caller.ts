import { ApiPromise, PagePromise, type Page } from './answers.ts'
import { OvertureError } from './errors.ts'
import type { Method, CallInput } from './call.ts'
import { fetchWithRetries } from './request.ts'
import { readSettings, type OvertureOptions, type Settings } from './settings.ts'

/** Sends the requests of one client with its settings. An operation returns data, a list or a response. */
export class Caller {
  readonly settings: Settings

  constructor(options: OvertureOptions = {}) {
    this.settings = readSettings(options)
  }

  send(method: Method, path: string, sent: CallInput): Promise<Response> {
    return fetchWithRetries(this.settings, method, path, sent)
  }

  call<Data>(method: Method, path: string, sent: CallInput): ApiPromise<Data> {
    return new ApiPromise(() => this.send(method, path, sent), readJson<Data>)
  }

  text(method: Method, path: string, sent: CallInput): ApiPromise<string> {
    return new ApiPromise(
      () => this.send(method, path, { ...sent, live: true }),
      (response) => response.text(),
    )
  }

  /** Data too large for memory is read from `raw()` as it arrives. */
  bytes(method: Method, path: string, sent: CallInput): ApiPromise<Uint8Array> {
    return new ApiPromise(
      () => this.send(method, path, { ...sent, live: true }),
      async (response) => new Uint8Array(await response.arrayBuffer()),
    )
  }

  list<Item, List extends Page<Item>>(method: Method, path: string, sent: CallInput): PagePromise<Item, List> {
    const next = (cursor: string) =>
      this.send(method, path, { ...sent, query: { ...sent.query, page: undefined, cursor } }).then(readJson<List>)
    // A list as a file may be too large for memory. It is read from `raw()` as it arrives.
    const { format } = (sent.query ?? {}) as { format?: string }
    const live = format === 'csv'
    return new PagePromise(() => this.send(method, path, { ...sent, live }), readJson<List>, next)
  }
}

/** Encodes an id as a part of a path. An invalid id would change the path, so it is refused. */
export function part(id: string): string {
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..')
    throw new OvertureError('ConfigurationError', `Not an id: ${JSON.stringify(id)}`)
  return encodeURIComponent(id)
}

/** A group of methods of the API. */
export class Resource {
  constructor(protected readonly caller: Caller) {}
}

// The unread response may also be returned to the caller, so this reads a copy.
async function readJson<Data>(response: Response): Promise<Data> {
  return (await response.clone().json()) as Data
}
