import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

type Json = Record<string, unknown>

interface Credentials {
  baseUrl: string
  apiKey: string
}

interface Item {
  json: Json
  pairedItem?: { item: number }
}

interface Description {
  properties: { name: string; displayOptions?: { show?: Record<string, unknown[]> } }[]
  credentials: { name: string }[]
}

export interface Nodes {
  Overture: new () => { description: Description; execute(this: unknown): Promise<Item[][]> }
  OvertureTrigger: new () => Trigger
  OvertureApi: new () => {
    authenticate: { properties: { headers: Record<string, string> } }
    test: { request: { url: string; baseURL: string } }
  }
  operations: readonly Operation[]
  eventTypes: readonly string[]
}

export interface Operation {
  resource: string
  value: string
  method: string
  path: string
  fields: readonly { name: string; in: 'path' | 'query' | 'body' }[]
  isList?: true
}

interface Trigger {
  description: Description
  webhookMethods: { default: Record<'checkExists' | 'create' | 'delete', (this: unknown) => Promise<boolean>> }
  webhook(this: unknown): Promise<{ workflowData?: Item[][]; noWebhookResponse?: boolean }>
}

const source = fileURLToPath(new URL('../../../../integrations/n8n/', import.meta.url))

/** Loads the nodes as n8n does, with a double in place of the package `n8n-workflow`. */
export async function loadNodes(): Promise<Nodes> {
  const folder = await mkdtemp(join(tmpdir(), 'overture-n8n-'))
  const outfile = join(folder, 'nodes.mjs')
  const names = ['nodes/Overture/Overture.node', 'nodes/Overture/OvertureTrigger.node', 'nodes/Overture/operations']
  const files = [...names, 'nodes/Overture/event-types', 'credentials/OvertureApi.credentials']
  await build({
    stdin: { contents: files.map((file) => `export * from './${file}'`).join('\n'), resolveDir: source, loader: 'ts' },
    alias: { 'n8n-workflow': fileURLToPath(new URL('n8n-workflow.ts', import.meta.url)) },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    // The compiler settings of n8n don't change the behavior of the code.
    tsconfigRaw: {},
  })
  const nodes = (await import(outfile)) as Nodes
  await rm(folder, { recursive: true, force: true })
  return nodes
}

/** Provides what n8n passes to a node. */
export class Bench {
  readonly nodes: Nodes
  readonly credentials: Credentials
  readonly staticData: Json = {}
  executionId = 'execution-1'
  constructor(nodes: Nodes, credentials: Credentials) {
    this.nodes = nodes
    this.credentials = credentials
  }

  /** Runs the node over items. A function among the parameters is an expression that is evaluated for each item. */
  async execute(
    parameters: Json,
    { items = [{}], continueOnFail = false }: { items?: Json[]; continueOnFail?: boolean } = {},
  ) {
    const functions = {
      ...this.#functions(parameters, items),
      getInputData: () => items.map((json) => ({ json })),
      getExecutionId: () => this.executionId,
      continueOnFail: () => continueOnFail,
    }
    const [answers] = await new this.nodes.Overture().execute.call(functions)
    return answers!
  }

  hook(name: 'checkExists' | 'create' | 'delete', parameters: Json, url: string): Promise<boolean> {
    const functions = {
      ...this.#functions(parameters),
      getNodeWebhookUrl: () => url,
      getWorkflowStaticData: () => this.staticData,
    }
    return new this.nodes.OvertureTrigger().webhookMethods.default[name].call(functions)
  }

  /** Handles a request as n8n does. Returns the workflow's first item, or null if none starts. */
  async receive(parameters: Json, request: IncomingMessage, response: ServerResponse): Promise<Json | null> {
    const rawBody = await buffer(request)
    let status = 200
    const answer = {
      status(code: number) {
        status = code
        return answer
      },
      json: (value: unknown) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value)),
    }
    const functions = {
      ...this.#functions(parameters),
      getRequestObject: () => Object.assign(request, { rawBody }),
      getResponseObject: () => answer,
      getWorkflowStaticData: () => this.staticData,
    }
    const { workflowData, noWebhookResponse } = await new this.nodes.OvertureTrigger().webhook.call(functions)
    if (noWebhookResponse === true) return null
    answer.json({ message: 'Workflow was started' })
    return workflowData?.[0]?.[0]?.json ?? null
  }

  /** Sends the request with which n8n tests credentials. */
  async testCredentials(): Promise<number> {
    const { request } = new this.nodes.OvertureApi().test
    const base = this.#evaluate(request.baseURL).replace(/\/+$/, '')
    const answer = await fetch(`${base}${request.url}`, { headers: this.#headers() })
    return answer.status
  }

  #functions(parameters: Json, items: Json[] = [{}]) {
    return {
      getNode: () => ({ id: 'node-1', name: 'Overture' }),
      getCredentials: () => Promise.resolve(this.credentials),
      getNodeParameter: (name: string, second?: unknown, third?: unknown) => {
        const given = parameters[name]
        if (typeof given === 'function') return given(items[second as number]) as unknown
        if (given !== undefined) return given
        const fallback = typeof second === 'number' ? third : second
        if (fallback === undefined) throw new Error(`The test gives no ${name}.`)
        return fallback
      },
      helpers: {
        httpRequestWithAuthentication: (_name: string, asked: Asked) => this.#request(asked),
        returnJsonArray: (all: Json[]) => all.map((json) => ({ json })),
      },
    }
  }

  async #request({ method, url, qs = {}, body, headers = {} }: Asked): Promise<unknown> {
    const target = new URL(url)
    for (const [name, value] of Object.entries(qs)) target.searchParams.set(name, String(value))
    const answer = await fetch(target, {
      method,
      headers: { ...headers, ...this.#headers(), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const data: unknown = await answer.json()
    if (!answer.ok)
      throw Object.assign(new Error(`Request failed with status code ${answer.status}`), {
        response: { status: answer.status, data },
      })
    return data
  }

  #headers(): Record<string, string> {
    const { headers } = new this.nodes.OvertureApi().authenticate.properties
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.#evaluate(value)]))
  }

  /** Evaluates the n8n expressions that credentials use. */
  #evaluate(expression: string): string {
    return expression
      .replace(/^=/, '')
      .replaceAll(/\{\{\s*\$credentials\.(\w+)\s*\}\}/g, (_whole, name: keyof Credentials) => this.credentials[name])
  }
}

interface Asked {
  method: string
  url: string
  qs?: Json
  body?: Json
  headers?: Record<string, string>
}

export interface Receiver {
  url: string
  started: Json[]
  statuses: number[]
  close(): Promise<void>
}

/** Starts the HTTP server on which n8n receives webhooks for a trigger. */
export async function startReceiver(bench: Bench, parameters: Json): Promise<Receiver> {
  const started: Json[] = []
  const statuses: number[] = []
  const server: Server = createServer((request, response) => {
    void bench.receive(parameters, request, response).then((json) => {
      statuses.push(response.statusCode)
      if (json !== null) started.push(json)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
    started,
    statuses,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
