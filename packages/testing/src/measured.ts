import { readFile } from 'node:fs/promises'

/** The value below which this part of them lies, whole; 0 of none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0)
}

/** Resident memory of a process, in MiB; 0 where the system tells none. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}
