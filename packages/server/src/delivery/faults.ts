/**
 * The points at which a test build can stop, kill or freeze a worker, in the order in which a message passes them. The page
 * docs/delivery.md lists what may be uncertain at each, and `test/faults/faults.test.ts` kills a process at every one.
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
  /** False in production. Then points inside an SMTP conversation are skipped. */
  armed: boolean
}

export const noFaults: FaultPoints = { hit: () => Promise.resolve(), armed: false }
