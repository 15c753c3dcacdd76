/** A position in a trace, as in the `traceparent` header of W3C Trace Context. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string
  /** 16 hexadecimal digits. */
  spanId: string
  sampled: boolean
}

/** The origin of a row: the trace of the work that wrote it. */
export interface Cause {
  context: TraceContext
  /** When its trace began, in real time. */
  beganMs: number
}

const header = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const headerLengthMax = 512
const zeros = /^0+$/
const sampledFlag = 1

/** Returns null if the header is invalid. The request is then handled without it. */
export function parseTraceparent(text: string | null | undefined): TraceContext | null {
  if (typeof text !== 'string' || text.length > headerLengthMax) return null
  const found = header.exec(text)
  if (found === null) return null
  const [, version, traceId = '', spanId = '', flags = '', rest] = found
  // A future version may have more fields after the known ones; version 00 may not, and version ff is invalid.
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (zeros.test(traceId) || zeros.test(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & sampledFlag) === sampledFlag }
}

export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
}

export function formatCause({ context, beganMs }: Cause): string {
  return `${formatTraceparent(context)} ${beganMs}`
}

export function parseCause(text: string | null | undefined): Cause | null {
  const [traceparent, began, ...rest] = (text ?? '').split(' ')
  const context = parseTraceparent(traceparent)
  if (context === null || rest.length > 0 || !/^\d{1,15}$/.test(began ?? '')) return null
  return { context, beganMs: Number(began) }
}

const shareBits = 0x1_0000_0000

/** Whether a trace is in the share that is kept. The result depends only on its id, so it is the same in every process. */
export function isInShare(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(-8), 16) < share * shareBits
}
