import { OvertureError } from './errors.ts'
import type { Event, EventType } from './generated/types.ts'
import type { UnknownEvent } from './unknown-event.ts'

export type { Event, EventType } from './generated/types.ts'
export type { UnknownEvent } from './unknown-event.ts'

export interface VerifyOptions {
  /** The largest age of a delivery, or its largest lead over this clock. */
  toleranceSeconds?: number
  /** Milliseconds since 1970; for tests. */
  now?: () => number
}

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const toleranceSeconds = 300
const secretPrefix = 'whsec_'

/** The body was not signed with the secret, or not recently, so it must not be trusted. */
export class SignatureError extends OvertureError {
  constructor(message: string) {
    super('SignatureError', message)
  }
}

/**
 * Returns the event if one of the secrets signed it. Needs the body exactly as received: JSON that was parsed and serialized again has
 * other bytes.
 */
export async function verify(
  body: string | Uint8Array,
  headers: HeaderSource,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<Event | UnknownEvent> {
  const id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const seconds = Number(timestamp)
  if (!/^\d{1,12}$/.test(timestamp)) throw new SignatureError('The header webhook-timestamp is not a time.')
  const now = (options.now?.() ?? Date.now()) / 1000
  if (Math.abs(now - seconds) > (options.toleranceSeconds ?? toleranceSeconds))
    throw new SignatureError('The webhook-timestamp is too far from now.')
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  const signatures = readHeader(headers, 'webhook-signature')
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [decodeBase64(one.slice(3))] : []))
  for (const secret of [secrets].flat()) {
    const key = await importKey(secret)
    for (const signature of signatures)
      if (signature !== null && (await crypto.subtle.verify('HMAC', key, signature, signed)))
        return JSON.parse(new TextDecoder().decode(bytes)) as Event
  }
  throw new SignatureError('No signature is of any of the secrets.')
}

export type EventHandlers = {
  [Type in EventType]?: (event: Extract<Event, { type: Type }>) => void | Promise<void>
} & {
  /** Called for types without their own handler, including types of a newer server that this client does not know. */
  '*'?: (event: Event | UnknownEvent) => void | Promise<void>
}

export interface HandlerOptions extends VerifyOptions {
  /** Several secrets while one is being rotated. */
  secret: string | readonly string[]
  on: EventHandlers
}

/**
 * Answers deliveries with 204 after the handler has finished, 400 for a delivery without a valid signature, and 500 if the handler throws,
 * so that the event is delivered again.
 */
export function webhookHandler({ secret, on, ...options }: HandlerOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } })
    const body = new Uint8Array(await request.arrayBuffer())
    let event: Event | UnknownEvent
    try {
      event = await verify(body, request.headers, secret, options)
    } catch (error) {
      return new Response(error instanceof SignatureError ? error.message : 'No event.', { status: 400 })
    }
    const handle = (Object.hasOwn(on, event.type) ? on[event.type as EventType] : undefined) ?? on['*']
    try {
      await (handle as ((event: Event | UnknownEvent) => void | Promise<void>) | undefined)?.(event)
    } catch {
      return new Response('The handler failed.', { status: 500 })
    }
    return new Response(null, { status: 204 })
  }
}

/** The headers of a delivery of this body, as the server sends them. For tests of a handler. */
export async function sign(
  body: string,
  { id, secret, now = Date.now }: { id: string; secret: string; now?: () => number },
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(now() / 1000))
  const bytes = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signature = await crypto.subtle.sign('HMAC', await importKey(secret), bytes)
  const text = btoa(String.fromCharCode(...new Uint8Array(signature)))
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${text}` }
}

function readHeader(headers: HeaderSource, name: string): string {
  const isHeaders = typeof (headers as Headers).get === 'function'
  const given = isHeaders ? (headers as Headers).get(name) : (headers as Record<string, unknown>)[name]
  const value: unknown = Array.isArray(given) ? given[0] : given
  if (typeof value !== 'string' || value === '') throw new SignatureError(`The header ${name} is missing.`)
  return value
}

async function importKey(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  const bytes = decodeBase64(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret)
  if (bytes === null || bytes.length === 0)
    throw new OvertureError('ConfigurationError', 'The secret is not a webhook secret. It begins with whsec_.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}
