interface OnTheWayOptions {
  /** The number of batches per tenant at once: the next one is planned while the last one is sent. */
  batchesMax: number
  /** The number of messages of all tenants in flight, whose bytes are in memory. The batch that reaches the limit may exceed it. */
  messagesMax: number
  /** Called when a tenant without room has room again. */
  freed: () => void
}

/** The state that a tenant's batches share while some are in flight. */
interface Lane<Delivery> {
  delivery: Delivery
  batches: Set<Promise<void>>
}

interface Batch<Delivery> {
  /** The number of messages. */
  count: number
  send: (delivery: Delivery) => Promise<void>
}

/**
 * Batches in flight. They mostly wait for mail servers, so they occupy no place of a planning tenant. This class bounds
 * their number.
 */
export class OnTheWay<Delivery> {
  readonly #lanes = new Map<string, Lane<Delivery>>()
  readonly #options: OnTheWayOptions
  #messages = 0

  constructor(options: OnTheWayOptions) {
    this.#options = options
  }

  /** The number of tenants with batches in flight. */
  get size(): number {
    return this.#lanes.size
  }

  hasRoom(): boolean {
    return this.#messages < this.#options.messagesMax
  }

  hasRoomFor(key: string): boolean {
    return this.hasRoom() && (this.#lanes.get(key)?.batches.size ?? 0) < this.#options.batchesMax
  }

  /**
   * `open` is called for the first batch of a tenant that has none in flight. `send` resolves when each message has its outcome,
   * and never rejects. The returned promise resolves with it.
   */
  add(key: string, open: () => Delivery, batch: Batch<Delivery>): Promise<void> {
    const lane = this.#lanes.get(key) ?? { delivery: open(), batches: new Set() }
    this.#lanes.set(key, lane)
    this.#messages += batch.count
    const sending = batch.send(lane.delivery).finally(() => {
      const hadRoom = this.hasRoomFor(key)
      this.#messages -= batch.count
      lane.batches.delete(sending)
      if (lane.batches.size === 0) this.#lanes.delete(key)
      if (!hadRoom) this.#options.freed()
    })
    lane.batches.add(sending)
    return sending
  }

  /** Resolves when all batches that are in flight now have ended, of one tenant or of all. */
  async ended(key?: string): Promise<void> {
    const lanes = key === undefined ? [...this.#lanes.values()] : [this.#lanes.get(key)]
    await Promise.all(lanes.flatMap((lane) => [...(lane?.batches ?? [])]))
  }
}
