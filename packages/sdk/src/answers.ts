/** The metadata of an answer. */
export interface Meta {
  status: number
  /** The request id, to report a problem with. The server's log has it too. */
  requestId: string | null
  /** The version of the server. */
  version: string | null
  rateLimit: { limit: number; remaining: number } | null
  /** Present for operations that cost credits. */
  credits: { charged: number; remaining: number } | null
  /** Whether the answer is that of an earlier request with the same idempotency key. */
  replayed: boolean
}

/** A running request. Await it for its data. */
export class ApiPromise<Data> implements Promise<Data> {
  readonly [Symbol.toStringTag] = 'ApiPromise'
  readonly #start: () => Promise<Response>
  #response: Promise<Response> | null = null
  #data: Promise<Data> | null = null
  readonly #read: (response: Response) => Promise<Data>

  constructor(start: () => Promise<Response>, read: (response: Response) => Promise<Data>, lazy = false) {
    this.#start = start
    this.#read = read
    if (!lazy) void this.#begun()
  }

  /** The data with the request id, the rate limit and the remaining credits. */
  async withMeta(): Promise<Meta & { data: Data }> {
    const response = await this.#begun()
    return { data: await this.#parsed(), ...responseMeta(response) }
  }

  /** The unparsed answer. Errors are thrown as usual. */
  async raw(): Promise<Response> {
    return this.#begun()
  }

  // oxlint-disable-next-line unicorn/no-thenable -- it is awaited like any other promise
  then<Ok = Data, Failed = never>(
    onOk?: ((data: Data) => Ok | PromiseLike<Ok>) | null,
    onFailed?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Ok | Failed> {
    return this.#parsed().then(onOk, onFailed)
  }

  catch<Failed = never>(onFailed?: ((error: unknown) => Failed | PromiseLike<Failed>) | null): Promise<Data | Failed> {
    return this.#parsed().catch(onFailed)
  }

  finally(onEnd?: (() => void) | null): Promise<Data> {
    return this.#parsed().finally(onEnd)
  }

  #begun(): Promise<Response> {
    return (this.#response ??= this.#start())
  }

  #parsed(): Promise<Data> {
    return (this.#data ??= this.#begun().then((response) => this.#read(response)))
  }
}

/** A page of a list, as the API returns it. */
export interface Page<Item> {
  results: Item[]
  nextCursor: string | null
}

/** A list. Await it for its first page, or iterate over all of it: `for await (const item of list)`. No request is sent before that. */
export class PagePromise<Item, List extends Page<Item>> extends ApiPromise<List> implements AsyncIterable<Item> {
  readonly #next: (cursor: string) => Promise<List>

  constructor(
    start: () => Promise<Response>,
    read: (response: Response) => Promise<List>,
    next: (cursor: string) => Promise<List>,
  ) {
    super(start, read, true)
    this.#next = next
  }

  /** The first page. */
  page(): Promise<List> {
    return this.then((list) => list)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let page: List = await this; ; page = await this.#next(page.nextCursor)) {
      yield* page.results
      if (page.nextCursor === null) return
    }
  }

  /** All items, or the first `max`. */
  async toArray({ max = Number.POSITIVE_INFINITY }: { max?: number } = {}): Promise<Item[]> {
    const items: Item[] = []
    if (max <= 0) return items
    for await (const item of this) {
      items.push(item)
      if (items.length >= max) break
    }
    return items
  }
}

export function responseMeta({ status, headers }: Response): Meta {
  const number = (name: string): number | null => {
    const value = headers.get(name)
    return value === null ? null : Number(value)
  }
  const limit = number('x-ratelimit-limit')
  const charged = number('x-credits-charged')
  return {
    status,
    requestId: headers.get('x-request-id'),
    version: headers.get('x-overture-version'),
    rateLimit: limit === null ? null : { limit, remaining: number('x-ratelimit-remaining') ?? 0 },
    credits: charged === null ? null : { charged, remaining: number('x-credits-remaining') ?? 0 },
    replayed: headers.get('idempotent-replayed') === 'true',
  }
}
