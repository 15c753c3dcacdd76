import { useState } from 'react'

export interface Selection<Item> {
  items: readonly Item[]
  has: (id: string) => boolean
  toggle: (item: Item) => void
  choose: (items: readonly Item[]) => void
  clear: () => void
}

/** The items of a list that the user selected. A new view of the list starts with an empty selection. */
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
