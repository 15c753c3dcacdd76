import { until } from '../server/until.ts'

/** As long as an action on a page may take: five minutes and more. */
const triesMax = 15_000

/** Looks until it holds; a page takes as long as it takes. */
export async function holds(look: () => Promise<boolean>): Promise<void> {
  await until(look, (value) => value, triesMax)
}
