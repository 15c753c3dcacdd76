import type { QueryClient, QueryKey } from '@tanstack/react-query'

const ids = new Set<unknown>()

/** Whether data is about something that is being deleted. Reading it again would fail, so it is not read. */
export const isBeingDeleted = (key: QueryKey): boolean => key.some((part) => ids.has(part))

/** The data that was read before. A poll whose timer already runs would otherwise read what is being deleted. */
export function keptWhileDeleted<Data>(client: QueryClient, key: QueryKey): Data | undefined {
  return isBeingDeleted(key) ? client.getQueryData<Data>(key) : undefined
}

/**
 * Runs the deletion of the thing with this id. Its page is still open, and would read the thing again when an event arrives and show that
 * it does not exist. After a deletion that fails, the thing can be read again. Otherwise it can be read when its page is closed.
 */
export async function deleting<Output>(
  client: QueryClient,
  id: string,
  act: () => PromiseLike<Output>,
): Promise<Output> {
  const ofIt = { predicate: ({ queryKey }: { queryKey: QueryKey }) => queryKey.includes(id) }
  ids.add(id)
  try {
    await client.cancelQueries(ofIt)
    const output = await act()
    onceUnused(client, ofIt, () => ids.delete(id))
    return output
  } catch (error) {
    ids.delete(id)
    void client.invalidateQueries(ofIt)
    throw error
  }
}

function onceUnused(client: QueryClient, filter: Parameters<QueryClient['removeQueries']>[0], then: () => void): void {
  const cache = client.getQueryCache()
  const stop = cache.subscribe(end)
  end()
  function end(): void {
    if (cache.findAll(filter).some((query) => query.getObserversCount() > 0)) return
    stop()
    then()
    client.removeQueries(filter)
  }
}
