import { minuteMs } from '@overture/ground/time/spans.ts'
import type { Access } from '@overture/mcp'

/** The shown permissions may be this much older than the key's. Actions are never affected, since the API checks each call. */
const keptMs = minuteMs
const keptMax = 1_000

interface AccessCache {
  find(keyHash: string, nowMs: number): Access | null
  keep(keyHash: string, access: Access, nowMs: number): void
}

/** Caches what keys may do, so that not every message of a session costs a request of the key's quota. */
export function createAccessCache(): AccessCache {
  const known = new Map<string, { access: Access; untilMs: number }>()
  return {
    find(keyHash, nowMs) {
      const entry = known.get(keyHash)
      return entry !== undefined && entry.untilMs > nowMs ? entry.access : null
    },
    keep(keyHash, access, nowMs) {
      known.delete(keyHash)
      known.set(keyHash, { access, untilMs: nowMs + keptMs })
      if (known.size > keptMax) known.delete(known.keys().next().value ?? '')
    },
  }
}
