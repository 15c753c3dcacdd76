import { AppError, errorStatus, type ErrorCode, type ErrorDetails } from '@overture/contract/errors.ts'
import { isUnavailable } from '../db/errors.ts'
import { tooLarge } from './upload.ts'

interface ErrorAnswer {
  status: number
  code: ErrorCode
  message: string
  details: ErrorDetails | undefined
}

const internal: ErrorAnswer = {
  status: 500,
  code: 'INTERNAL_ERROR',
  message: 'Something went wrong on our side.',
  details: undefined,
}

const retryAfterSeconds = { conflict: 1, database: 5 }

/** The database is down, starting or unresponsive. The outcome of a commit without a reply is unknown. */
const databaseAway: ErrorAnswer = {
  status: errorStatus.SERVICE_UNAVAILABLE,
  code: 'SERVICE_UNAVAILABLE',
  message: 'The database is not available right now. Try again in a few seconds, with the same idempotency key.',
  details: { retryAfterSeconds: retryAfterSeconds.database },
}

/** A statement reached its limit of ten seconds: it was too large, or the database was stalled. */
const tookTooLong: ErrorAnswer = {
  ...databaseAway,
  message:
    'The request took longer than 10 seconds and was canceled. Try again, or use a narrower filter or a smaller page.',
}
const statementCanceled = '57014'

const frameworkRefusals: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'Send the body in the media type of this operation.'],
  FST_ERR_BAD_URL: ['NOT_FOUND', 'Not found.'],
}

/** The response for any thrown value. Anything but an AppError or a known error is INTERNAL_ERROR without details. */
export function toErrorAnswer(error: unknown, bodyBytesMax = 0): ErrorAnswer {
  if (readCode(error) === 'FST_ERR_CTP_BODY_TOO_LARGE') return toErrorAnswer(tooLarge(bodyBytesMax))
  if (error instanceof AppError) {
    return { status: errorStatus[error.code], code: error.code, message: error.message, details: error.details }
  }
  if (readCode(error) === statementCanceled) return tookTooLong
  if (isDatabaseAway(error)) return databaseAway
  const known = frameworkRefusals[readCode(error) ?? '']
  if (known !== undefined) return refusal(...known)
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return refusal('VALIDATION_ERROR', 'The request could not be read.', {
      issues: [{ path: '', rule: 'request', message: 'The request could not be read.' }],
    })
  }
  return internal
}

/** `{error: {code, message, request_id, details?}}`, the same for every code. Source: docs/contract.md, "Conventions". */
export function errorBody(answer: ErrorAnswer, requestId: string): string {
  const { code, message, details } = answer
  return JSON.stringify({ error: { code, message, request_id: requestId, ...(details && { details }) } })
}

/**
 * The facts about an error that may be logged: where it happened, but no values. Database messages can quote values, so they are
 * left out.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error }
  const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '))
  const code = readCode(error)
  return {
    name: error.name,
    ...(code !== undefined && { code }),
    ...(code === undefined && { message: error.message }),
    stack: frames.slice(0, 12).join('\n'),
  }
}

/** A missing file and a missing socket have the same code, so the system call is checked too. */
function isDatabaseAway(error: unknown): boolean {
  if (readCode(error) === 'ENOENT') return (error as { syscall?: unknown }).syscall === 'connect'
  return isUnavailable(error)
}

function refusal(code: ErrorCode, message: string, details?: ErrorDetails): ErrorAnswer {
  return { status: errorStatus[code], code, message, details }
}

function readCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

/** The only conflict that resolves without a change: the first request with the same idempotency key has not ended yet. */
export class StillRunningError extends AppError {
  readonly retryAfterSeconds = retryAfterSeconds.conflict

  constructor() {
    super('CONFLICT', 'The first request with this idempotency key is still running.', {
      currentStatus: 'running',
      allowedActions: [],
    })
  }
}
