/** `times`: the factor by which the CPU time grows when the input is twice as long; 0 if the longer input costs almost nothing. */
export interface Grown {
  name: string
  times: number
}

/** An input that costs less CPU time counts as free. */
const noiseMs = 10
const triesMax = 24
/** The largest growth that counts as linear: noise takes a share of both times. */
export const linearTimes = 3
/** Runs that are counted together if single runs are not clear. Garbage collection then affects both inputs equally. */
const manyRuns = 6

/** Compares the cheapest of several runs, so that other work on the machine does not count. */
export function measureGrowth<Input>(make: (times: 1 | 2) => Input, run: (input: Input) => unknown): number {
  const double = make(2)
  if (cpuMs(double, run, 1) <= noiseMs) return 0
  const single = make(1)
  const few = cheapestRatio({ single, double }, run, 1)
  return few > linearTimes ? Math.min(few, cheapestRatio({ single, double }, run, manyRuns)) : few
}

function cheapestRatio<Input>(
  { single, double }: { single: Input; double: Input },
  run: (input: Input) => unknown,
  runs: number,
): number {
  let twiceMs = cpuMs(double, run, runs)
  let onceMs = cpuMs(single, run, runs)
  for (let tries = 1; tries * runs < triesMax && twiceMs > linearTimes * onceMs; tries++) {
    twiceMs = Math.min(twiceMs, cpuMs(double, run, runs))
    onceMs = Math.min(onceMs, cpuMs(single, run, runs))
  }
  return twiceMs / onceMs
}

function cpuMs<Input>(input: Input, run: (input: Input) => unknown, runs: number): number {
  const before = process.cpuUsage()
  for (let turn = 0; turn < runs; turn++) run(input)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
