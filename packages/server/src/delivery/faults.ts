/** Where a test build can stop, kill or freeze a worker (delivery.md, fault points). */
export type FaultName =
  | 'F1'
  | 'F2'
  | 'F3'
  | 'F4'
  | 'F5'
  | 'F6'
  | 'F7'
  | 'F8'
  | 'F9'
  | 'F10'
  | 'F11'
  | 'F12'
  | 'F13'
  | 'F14'
  | 'F15'
  | 'F16'
  | 'F17'
  | 'F18'
  | 'F19'

export interface FaultPoints {
  hit(point: FaultName): Promise<void>
  /** False in production: points inside a conversation are then not even looked at. */
  armed: boolean
}

export const noFaults: FaultPoints = { hit: () => Promise.resolve(), armed: false }
