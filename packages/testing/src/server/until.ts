const triesMax = 1000
const lookEveryMs = 20

/** Looks until what it sees holds, and answers that; throws with what it saw last after some twenty seconds, or longer. */
export async function until<Value>(
  look: () => Promise<Value>,
  holds: (value: Value) => boolean,
  tries = triesMax,
): Promise<Value> {
  for (let left = tries; left > 0; left--) {
    const value = await look()
    if (holds(value)) return value
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
  throw new Error(`never came true: ${JSON.stringify(await look())}`)
}
