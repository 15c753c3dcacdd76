import { useState } from 'react'

export interface Selection<Item> {
  items: readonly Item[]
  has: (id: string) => boolean
  toggle: (item: Item) => void
  choose: (items: readonly Item[]) => void
  /** Whether the user selected all rows that match, also those that are not loaded. */
  all: boolean
  chooseAll: (loaded: readonly Item[]) => void
  clear: () => void
}

/** The items of a list that the user selected. A new view of the list starts with an empty selection. */
export function useSelection<Item extends { id: string }>(view: string): Selection<Item> {
  const [state, setState] = useState<{ view: string; items: readonly Item[]; all: boolean }>({
    view,
    items: [],
    all: false,
  })
  const { items, all } = state.view === view ? state : { items: [], all: false }
  const has = (id: string): boolean => all || items.some((one) => one.id === id)
  const choose = (next: readonly Item[]): void => setState({ view, items: next, all: false })
  return {
    items,
    all,
    has,
    choose,
    chooseAll: (loaded) => setState({ view, items: loaded, all: true }),
    toggle: (item) => choose(has(item.id) ? items.filter(({ id }) => id !== item.id) : [...items, item]),
    clear: () => choose([]),
  }
}
