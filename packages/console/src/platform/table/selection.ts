import { useState } from 'react'

export interface Selection<Item> {
  items: readonly Item[]
  has: (id: string) => boolean
  toggle: (item: Item) => void
  choose: (items: readonly Item[]) => void
  clear: () => void
}

/** What was chosen in a list to do one thing with; another view of it begins anew. */
export function useSelection<Item extends { id: string }>(view: string): Selection<Item> {
  const [state, setState] = useState<{ view: string; items: readonly Item[] }>({ view, items: [] })
  const items = state.view === view ? state.items : []
  const has = (id: string): boolean => items.some((one) => one.id === id)
  const choose = (next: readonly Item[]): void => setState({ view, items: next })
  return {
    items,
    has,
    choose,
    toggle: (item) => choose(has(item.id) ? items.filter(({ id }) => id !== item.id) : [...items, item]),
    clear: () => choose([]),
  }
}
