import { useState } from 'react'

interface ShownList {
  name: string
  ids: ReadonlySet<string>
}

/**
 * Items that arrive while the user reads are counted, and not inserted under the cursor. They are shown on request, or when the view
 * changes. Older items are appended at the end.
 */
export function useSettled<Item extends { id: string }>(name: string, items: readonly Item[], ready: boolean) {
  const [kept, setKept] = useState<ShownList | null>(null)
  const current = kept?.name === name ? kept : null
  if (current === null && ready) setKept({ name, ids: new Set(items.map(({ id }) => id)) })
  const known = current?.ids ?? new Set(items.map(({ id }) => id))
  const firstKnown = items.findIndex(({ id }) => known.has(id))
  // There is no item on the screen yet that could move.
  const fresh = firstKnown === -1 ? [] : items.slice(0, firstKnown)
  const older = items.filter(({ id }, index) => index > firstKnown && !known.has(id))
  if (
    current !== null &&
    (older.length > 0 || firstKnown === -1) &&
    items.some(({ id }) => !known.has(id) && !fresh.some((one) => one.id === id))
  )
    setKept({ name, ids: new Set([...known, ...(firstKnown === -1 ? items : older).map(({ id }) => id)]) })
  return {
    shown: items.filter(({ id }) => !fresh.some((one) => one.id === id)),
    freshCount: fresh.length,
    showFresh: () => setKept({ name, ids: new Set([...known, ...items.map(({ id }) => id)]) }),
  }
}
