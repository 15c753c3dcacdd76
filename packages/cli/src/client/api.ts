import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { arrayBuffer, text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import { listCalls, type Endpoint } from '@overture/contract/endpoint.ts'
import type { Overture } from '@overture/sdk'
import type { Command } from 'commander'
import { connectClient, withClientOptions, type ClientOptions } from './client.ts'
import { CommandError } from '../output.ts'

interface ApiOptions extends ClientOptions {
  data?: string
  query: Record<string, string>
}

/** `overture api campaigns.launch -d @file`: calls any operation by the name that the clients use. */
export function registerApi(program: Command): void {
  withClientOptions(
    program
      .command('api <call> [ids...]')
      .description('Call an operation, such as campaigns.get cmp_…, and print its response as JSON')
      .option('-d, --data <json>', 'the body: JSON, @FILE, or @- for standard input')
      .option('-q, --query <name=value>', 'a query parameter (can be repeated)', pair, {}),
  ).action(call)
}

function pair(given: string, before: Record<string, string>): Record<string, string> {
  const [name = '', ...rest] = given.split('=')
  return { ...before, [name]: rest.join('=') }
}

async function call(name: string, ids: string[], options: ApiOptions): Promise<void> {
  const endpoint = findEndpoint(name)
  const expected = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1])
  if (ids.length !== expected.length)
    throw new CommandError(`${name} needs ${expected.length === 0 ? 'no ids' : expected.join(' and ')}.`)
  const client = await connectClient(options)
  const given: unknown[] = [...ids]
  if (endpoint.bodyType !== undefined) given.push(await readBytes(options.data))
  else if (endpoint.body !== undefined) given.push(await readBody(options.data))
  else if (options.data !== undefined) throw new CommandError(`${name} accepts no body.`)
  if (endpoint.query !== undefined) given.push(options.query)
  const begun = findMethod(client, name)(...given)
  if (options.query['format'] === 'csv') return printFile(await begun.raw())
  const answer = await begun
  if (answer instanceof Uint8Array) process.stdout.write(answer)
  else console.log(typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2))
}

function findEndpoint(name: string): Endpoint {
  const calls = listCalls(allEndpoints)
  const found = calls.find((endpoint) => endpoint.call === name && endpoint.outputType !== 'text/event-stream')
  if (found !== undefined) return found
  const [area = ''] = name.split('.')
  const near = calls.map(({ call: one }) => one).filter((one) => one.startsWith(area.slice(0, 4)))
  throw new CommandError(`Unknown operation ${name}.${near.length === 0 ? '' : ` Is it one of ${near.join(', ')}?`}`)
}

async function readBody(data: string | undefined): Promise<unknown> {
  const given = await read(data)
  if (given === '') return {}
  try {
    return JSON.parse(given) as unknown
  } catch (error) {
    throw new CommandError(`The body is not JSON: ${(error as Error).message}`)
  }
}

async function read(data: string | undefined): Promise<string> {
  if (data === undefined || !data.startsWith('@')) return data ?? ''
  return data === '@-' ? text(process.stdin) : readFile(data.slice(1), 'utf8')
}

/** Reads a file as bytes and not as text, because it may be compressed. */
async function readBytes(data: string | undefined): Promise<Uint8Array> {
  if (data === undefined || !data.startsWith('@')) return Buffer.from(data ?? '')
  return data === '@-' ? new Uint8Array(await arrayBuffer(process.stdin)) : readFile(data.slice(1))
}

/** A file may be too large for memory. */
async function printFile({ body }: Response): Promise<void> {
  if (body === null) return
  const file = Readable.fromWeb(body as ReadableStream<Uint8Array>)
  await pipeline(file, process.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
    // The reader, such as `head`, has enough.
    if (error.code !== 'EPIPE') throw error
  })
}

type Method = (...given: unknown[]) => Promise<unknown> & { raw(): Promise<Response> }

function findMethod(client: Overture, name: string): Method {
  const parts = name.split('.')
  const last = parts.pop() ?? ''
  let resource = client as unknown as Record<string, unknown>
  for (const part of parts) resource = resource[part] as Record<string, unknown>
  return (resource[last] as Method).bind(resource)
}
