import { Readable } from 'node:stream'
import { publicEvent, type FeedPosition, type StoredEvent } from '../platform/events/feed.sql.ts'

export const keepAliveMs = 15_000
/** A client with more unread bytes is considered gone. */
export const unreadBytesMax = 1024 * 1024

const beginningText = 'retry: 2000\n\n'
const pingText = ': ping\n\n'
/** The events that the client missed can no longer be read from a stream. */
export const resetText = 'event: reset\ndata: {}\n\n'

export interface StreamFilter {
  types: ReadonlySet<string> | null
  campaignId: string | null
  leadId: string | null
}

interface StreamOptions {
  callerId: string
  filter: StreamFilter
  /** The last position in the log that was handled; null before its beginning. */
  position: FeedPosition | null
  openedAtMs: number
}

/** The stream of one client and its position in the log. */
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

  /** Advances the position, and sends the event if it matches the filter. */
  send(row: StoredEvent, nowMs: number): void {
    this.position = row
    const { types, campaignId, leadId } = this.#filter
    if (types !== null && !types.has(row.type)) return
    if (campaignId !== null && row.campaignId !== campaignId) return
    if (leadId !== null && row.leadId !== leadId) return
    this.say(`id: ${row.id}\nevent: ${row.type}\ndata: ${JSON.stringify(publicEvent(row))}\n\n`, nowMs)
  }

  /** Sends the clock if it changed. It has no id, because it is not an event of the log. */
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
