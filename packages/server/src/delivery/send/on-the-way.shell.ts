interface OnTheWayOptions {
  /** Batches of one tenant at once: the next is planned while the last is sent. */
  batchesMax: number
  /** Messages of all tenants, and their bytes in memory; the batch that reaches it may pass it. */
  messagesMax: number
  /** A tenant that had no room has some now. */
  freed: () => void
}

/** The state that a tenant's batches share while some are in flight. */
interface Lane<Delivery> {
  delivery: Delivery
  batches: Set<Promise<void>>
}

interface Batch<Delivery> {
  /** Messages. */
  count: number
  send: (delivery: Delivery) => Promise<void>
}

/**
 * Batches in flight. They mostly wait for mail servers, so they occupy no place of a planning tenant. This class bounds
 * their number.
 */
export class OnTheWay<Delivery> {
  private readonly lanes = new Map<string, Lane<Delivery>>()
  private readonly options: OnTheWayOptions
  private messages = 0

  constructor(options: OnTheWayOptions) {
    this.options = options
  }

  /** Tenants with something on its way. */
  get size(): number {
    return this.lanes.size
  }

  hasRoom(): boolean {
    return this.messages < this.options.messagesMax
  }

  hasRoomFor(key: string): boolean {
    return this.hasRoom() && (this.lanes.get(key)?.batches.size ?? 0) < this.options.batchesMax
  }

  /**
   * `open`: for the first batch of a tenant with none. `send` settles when each message has its outcome, and does not fail.
   * Answers when it has settled.
   */
  add(key: string, open: () => Delivery, batch: Batch<Delivery>): Promise<void> {
    const lane = this.lanes.get(key) ?? { delivery: open(), batches: new Set() }
    this.lanes.set(key, lane)
    this.messages += batch.count
    const sending = batch.send(lane.delivery).finally(() => {
      const hadRoom = this.hasRoomFor(key)
      this.messages -= batch.count
      lane.batches.delete(sending)
      if (lane.batches.size === 0) this.lanes.delete(key)
      if (!hadRoom) this.options.freed()
    })
    lane.batches.add(sending)
    return sending
  }

  /** When all that is on its way now has arrived; of one tenant, or of all. */
  async ended(key?: string): Promise<void> {
    const lanes = key === undefined ? [...this.lanes.values()] : [this.lanes.get(key)]
    await Promise.all(lanes.flatMap((lane) => [...(lane?.batches ?? [])]))
  }
}
