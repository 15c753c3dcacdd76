import { totalmem } from 'node:os'

/** What this machine, or the container around this process, has. */
export function memoryBytes(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}
