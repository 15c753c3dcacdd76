import { dayMs } from '@overture/ground/time/spans.ts'
import { stretchAt } from '@overture/ground/time/time-zone.ts'
import { toDate } from './plan-state.ts'

/** Whether a gate is open, with its numbers in one sentence. */
export interface Judgement {
  passed: boolean
  detail: string
  /** The time when a closed gate opens without a change. Null: the gate is open, or opens only after a change. */
  until: Date | null
}

export function open(detail: string): Judgement {
  return { passed: true, detail, until: null }
}

export function shut(detail: string, untilMs = Infinity): Judgement {
  return { passed: false, detail, until: toDate(untilMs) }
}

export function wallTime(zone: string, atMs: number): string {
  const localMs = atMs + stretchAt(zone, atMs).offsetMs
  const weekday = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed'][((Math.floor(localMs / dayMs) % 7) + 7) % 7]
  return `${weekday} ${new Date(localMs).toISOString().slice(0, 16).replace('T', ' ')}`
}
