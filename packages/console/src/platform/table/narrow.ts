import { useSyncExternalStore } from 'react'

const narrowest = '(max-width: 719px)'

/** Whether the screen is only wide enough for one column. */
export function useNarrow(): boolean {
  return useSyncExternalStore(listen, () => matchMedia(narrowest).matches)
}

function listen(changed: () => void): () => void {
  const query = matchMedia(narrowest)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
