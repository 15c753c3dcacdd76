/** A place in a trace, as `traceparent` of W3C Trace Context says it. */
export interface TraceContext {
  /** 32 digits, hexadecimal. */
  traceId: string
  /** 16 digits. */
  spanId: string
  sampled: boolean
}

/** What a row remembers of the work that wrote it. */
export interface Cause {
  context: TraceContext
  /** When its trace began, in real time. */
  beganMs: number
}

const header = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const headerLengthMax = 512
const zeros = /^0+$/
const sampledFlag = 1

/** Null for what is no such header: whoever sent it is answered all the same. */
export function parseTraceparent(text: string | null | undefined): TraceContext | null {
  if (typeof text !== 'string' || text.length > headerLengthMax) return null
  const found = header.exec(text)
  if (found === null) return null
  const [, version, traceId = '', spanId = '', flags = '', rest] = found
  // A version of the future may say more behind what is known; this one may not, and 255 is none.
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

/** Whether a trace is among the share that is kept: the same answer wherever its id is known. */
export function isInShare(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(-8), 16) < share * shareBits
}
