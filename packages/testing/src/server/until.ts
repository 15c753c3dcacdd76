const triesMax = 1000
const lookEveryMs = 20

/** Looks until what it sees holds, and answers that; throws with what it saw last after some twenty seconds. */
export async function until<Value>(look: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  for (let tries = 0; tries < triesMax; tries++) {
    const value = await look()
    if (holds(value)) return value
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
  throw new Error(`never came true: ${JSON.stringify(await look())}`)
}
