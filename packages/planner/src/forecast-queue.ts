/** A binary heap: the smallest item by `before` comes out first. */
export class MinHeap<Item> {
  readonly #items: Item[] = []
  readonly #before: (a: Item, b: Item) => boolean

  constructor(before: (a: Item, b: Item) => boolean) {
    this.#before = before
  }

  get size(): number {
    return this.#items.length
  }

  peek(): Item | undefined {
    return this.#items[0]
  }

  push(item: Item): void {
    let index = this.#items.length
    while (index > 0) {
      const parentIndex = (index - 1) >> 1
      const parent = this.#items[parentIndex]
      if (parent === undefined || !this.#before(item, parent)) break
      this.#items[index] = parent
      index = parentIndex
    }
    this.#items[index] = item
  }

  pop(): Item | undefined {
    const top = this.#items[0]
    const last = this.#items.pop()
    if (last !== undefined && this.#items.length > 0) this.#sink(last)
    return top
  }

  #sink(item: Item): void {
    let index = 0
    for (;;) {
      let childIndex = 2 * index + 1
      let child = this.#items[childIndex]
      if (child === undefined) break
      const right = this.#items[childIndex + 1]
      if (right !== undefined && this.#before(right, child)) {
        child = right
        childIndex++
      }
      if (!this.#before(child, item)) break
      this.#items[index] = child
      index = childIndex
    }
    this.#items[index] = item
  }
}
