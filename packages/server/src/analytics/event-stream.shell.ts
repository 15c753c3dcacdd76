import { Readable } from 'node:stream'
import { eventBodyOf, type FeedPosition, type StoredEvent } from '../platform/events/feed.sql.ts'

export const keepAliveMs = 15_000
/** What a client may leave unread before it is taken for gone. */
export const unreadBytesMax = 1024 * 1024

const beginningText = 'retry: 2000\n\n'
const pingText = ': ping\n\n'
/** What the client missed is not to be had from a stream any more. */
export const resetText = 'event: reset\ndata: {}\n\n'

export interface StreamFilter {
  types: ReadonlySet<string> | null
  campaignId: string | null
  leadId: string | null
}

interface StreamOptions {
  callerId: string
  filter: StreamFilter
  /** Where in the log it has come to; null: before its beginning. */
  position: FeedPosition | null
  openedAtMs: number
}

/** One client's stream: what it is told, and how far it has come. */
export class EventStream {
  readonly readable = new Readable({ read: () => undefined })
  readonly callerId: string
  readonly openedAtMs: number
  position: FeedPosition | null
  readonly #filter: StreamFilter
  #saidAtMs: number
  #clockText = ''

  constructor({ callerId, filter, position, openedAtMs }: StreamOptions) {
    this.callerId = callerId
    this.openedAtMs = openedAtMs
    this.position = position
    this.#filter = filter
    this.#saidAtMs = openedAtMs
    this.say(beginningText, openedAtMs)
  }

  /** Moves on, and tells the event where it is asked for. */
  tell(row: StoredEvent, nowMs: number): void {
    this.position = row
    const { types, campaignId, leadId } = this.#filter
    if (types !== null && !types.has(row.type)) return
    if (campaignId !== null && row.campaignId !== campaignId) return
    if (leadId !== null && row.leadId !== leadId) return
    this.say(`id: ${row.id}\nevent: ${row.type}\ndata: ${JSON.stringify(eventBodyOf(row))}\n\n`, nowMs)
  }

  /** Without an id, for it has no place in the log; only when it is another. */
  sayClock(text: string, nowMs: number): void {
    if (text === this.#clockText) return
    this.#clockText = text
    this.say(`event: clock\ndata: ${text}\n\n`, nowMs)
  }

  keepAlive(nowMs: number): void {
    if (nowMs - this.#saidAtMs >= keepAliveMs) this.say(pingText, nowMs)
  }

  say(text: string, nowMs: number): void {
    if (this.readable.readableEnded || this.readable.destroyed) return
    this.#saidAtMs = nowMs
    this.readable.push(text)
    if (this.readable.readableLength > unreadBytesMax) this.readable.destroy()
  }

  end(): void {
    if (!this.readable.destroyed) this.readable.push(null)
  }

  onEnd(callback: () => void): void {
    this.readable.once('close', callback)
  }
}
