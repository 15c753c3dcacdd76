/**
 * Where a test build can stop, kill or freeze a worker, in the order in which one message passes them. What may be in
 * doubt at each stands in docs/delivery.md; `test/faults/faults.test.ts` kills a process at every one.
 */
export const faultNames = [
  'planning',
  'planned',
  'claimed',
  'rendered',
  'stored',
  'connect',
  'auth',
  'mail',
  'rcpt',
  'data',
  'mid_body',
  'body_done',
  'gate_in_doubt',
  'gated',
  'half_terminator',
  'terminated',
  'answered',
  'record_in_doubt',
  'recorded',
  'before_copy',
  'lease_over',
] as const

export type FaultName = (typeof faultNames)[number]

export interface FaultPoints {
  hit(point: FaultName): Promise<void>
  /** False in production: points inside a conversation are then not even looked at. */
  armed: boolean
}

export const noFaults: FaultPoints = { hit: () => Promise.resolve(), armed: false }
