import { until } from '../server/until.ts'

/** Looks until it holds; a page takes as long as it takes. */
export async function holds(look: () => Promise<boolean>): Promise<void> {
  await until(look, (value) => value)
}
