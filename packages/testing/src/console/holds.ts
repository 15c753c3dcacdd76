import { until } from '../server/until.ts'

/** As long as an action on a page may take: more than five minutes. */
const triesMax = 15_000

/** Polls until the condition is true. */
export async function holds(check: () => Promise<boolean>): Promise<void> {
  await until(check, (value) => value, triesMax)
}
