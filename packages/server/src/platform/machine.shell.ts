import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'

/** The memory of this machine, or of the container around this process. */
export function memoryBytes(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

/**
 * The largest number of open files and connections of this process; Infinity if the system has no limit or does not report it
 * (proc(5)).
 */
export function openFilesMax(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return limit === null ? Number.POSITIVE_INFINITY : Number(limit[1])
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
