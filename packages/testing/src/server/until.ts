const triesMax = 1000
const lookEveryMs = 20

/** Polls until `holds` accepts the value, and returns it. Throws with the last value after about twenty seconds by default. */
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
