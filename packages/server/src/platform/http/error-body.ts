import { AppError, errorStatus, type ErrorCode, type ErrorDetails } from '@overture/contract/errors.ts'
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

/** A statement of a request that took its ten seconds: its client can ask for less, and is told so. */
const tookTooLong: ErrorAnswer = {
  ...internal,
  message: 'This took longer than 10 seconds and was ended. Ask for less at a time: a narrower filter, a smaller page.',
}
const statementCanceled = '57014'

const frameworkRefusals: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body as the media type that this operation takes.',
  ],
  FST_ERR_BAD_URL: ['NOT_FOUND', 'Not found.'],
}

/** What any thrown value is to the client. Anything but a refusal is INTERNAL_ERROR, without a word about it. */
export function toErrorAnswer(error: unknown, bodyBytesMax = 0): ErrorAnswer {
  if (codeOf(error) === 'FST_ERR_CTP_BODY_TOO_LARGE') return toErrorAnswer(tooLarge(bodyBytesMax))
  if (error instanceof AppError) {
    return { status: errorStatus[error.code], code: error.code, message: error.message, details: error.details }
  }
  if (codeOf(error) === statementCanceled) return tookTooLong
  const known = frameworkRefusals[codeOf(error) ?? '']
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

/** What may stand in a log: where it happened, never what with. Database messages can quote values, so they stay out. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error }
  const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '))
  const code = codeOf(error)
  return {
    name: error.name,
    ...(code !== undefined && { code }),
    ...(code === undefined && { message: error.message }),
    stack: frames.slice(0, 12).join('\n'),
  }
}

function refusal(code: ErrorCode, message: string, details?: ErrorDetails): ErrorAnswer {
  return { status: errorStatus[code], code, message, details }
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

const retryAfterSeconds = 1

/** The one conflict that passes by itself: the first request with the same idempotency key has not ended yet. */
export class StillRunningError extends AppError {
  readonly retryAfterSeconds = retryAfterSeconds

  constructor() {
    super('CONFLICT', 'The first request with this idempotency key is still running.', {
      currentStatus: 'running',
      allowedActions: [],
    })
  }
}
