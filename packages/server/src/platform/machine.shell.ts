import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'

/** What this machine, or the container around this process, has. */
export function memoryBytes(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

/** How many files and connections this process may have open; Infinity where the system sets no limit, or does not tell (proc(5)). */
export function openFilesMax(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return limit === null ? Number.POSITIVE_INFINITY : Number(limit[1])
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
