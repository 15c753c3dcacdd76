import { linearTimes, type Grown } from './growth.ts'
import { messageCosts } from './costs.ts'
import { messageGrowth } from './messages.ts'
import { textGrowth } from './texts.ts'

/** The limits for one message: CPU time in plain loops (a loop is 20 million additions), and memory. */
const loopsMax = 10
const memoryMbMax = 100

/** Prints how the cost of reading hostile input grows with its length, and what the most expensive messages cost. */
export async function benchGrowth(): Promise<void> {
  report('messages', messageGrowth())
  report('tables and templates', textGrowth())
  for await (const { name, loops, memoryMb } of messageCosts()) {
    const over = loops > loopsMax || memoryMb > memoryMbMax ? ' OVER THE AIM' : ''
    process.stdout.write(`${name}: ${loops.toFixed(1)} loops, ${memoryMb} MB${over}\n`)
  }
}

function report(of: string, cases: Iterable<Grown>): void {
  let [count, most] = [0, 0]
  for (const { name, times } of cases) {
    count++
    most = Math.max(most, times)
    if (times > linearTimes) process.stdout.write(`${name}: ${times.toFixed(2)} times for twice the length\n`)
  }
  process.stdout.write(`${of}: ${count} cases, at most ${most.toFixed(2)} times for twice the length\n`)
}
