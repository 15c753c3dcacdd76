const triesMax = 1000
const lookEveryMs = 20

/** Polls until `holds` accepts the value, and returns it. Throws with the last value after about twenty seconds by default. */
export async function until<Value>(
  check: () => Promise<Value>,
  holds: (value: Value) => boolean,
  tries = triesMax,
): Promise<Value> {
  for (let triesLeft = tries; triesLeft > 0; triesLeft--) {
    const value = await check()
    if (holds(value)) return value
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
  throw new Error(`never came true: ${JSON.stringify(await check())}`)
}
