import type { Blocker, ErrorCode, ErrorDetails, ValidationIssue } from './generated/types.ts'

/** The codes of this server version, and those of newer ones. */
export type AnyErrorCode = ErrorCode | (string & {})

interface DetailsByCode {
  VALIDATION_ERROR: ErrorDetails & { issues: ValidationIssue[] }
  CONFLICT: ErrorDetails & { currentStatus: string; allowedActions: string[]; blockers?: Blocker[] }
}

export type DetailsOf<Code> = Code extends keyof DetailsByCode ? DetailsByCode[Code] : ErrorDetails | undefined

// A symbol of the global registry is the same in every copy of this package.
const brand = Symbol.for('overture.error')

/** Every error that this client throws itself. */
export class OvertureError extends Error {
  readonly [brand]: string

  constructor(kind: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = kind
    this[brand] = kind
  }
}

function isKind(error: unknown, kind: string): boolean {
  return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[brand] === kind
}

export interface ApiErrorFacts<Code> {
  status: number
  code: Code
  requestId: string | null
  details: DetailsOf<Code>
  /** Present if the answer says when to retry. */
  retryAfterSeconds: number | null
}

/** The server refused the request. The error has the server's code and message, and the request id for support. */
export class ApiError<Code extends AnyErrorCode = AnyErrorCode> extends OvertureError implements ApiErrorFacts<Code> {
  readonly status: number
  readonly code: Code
  readonly requestId: string | null
  readonly details: DetailsOf<Code>
  readonly retryAfterSeconds: number | null
  /**
   * Whether the answer to an earlier try of this call was lost. That try may have done what this one was refused: for example, a deletion
   * that finds nothing any more.
   */
  afterLostTry = false

  constructor(message: string, facts: ApiErrorFacts<Code>) {
    super('ApiError', `${facts.code}: ${message}${issuesText(facts.details)} (request ${facts.requestId ?? 'unknown'})`)
    this.status = facts.status
    this.code = facts.code
    this.requestId = facts.requestId
    this.details = facts.details
    this.retryAfterSeconds = facts.retryAfterSeconds
  }

  /** Works across copies of this package. With a code it narrows the type of `details`. */
  static is<const Code extends ErrorCode>(error: unknown, code?: Code): error is ApiError<Code> {
    return isKind(error, 'ApiError') && (code === undefined || (error as ApiError).code === code)
  }
}

/** No answer, or an incomplete one, after all tries. */
export class ConnectionError extends OvertureError {
  constructor(message: string, options?: ErrorOptions) {
    super('ConnectionError', message, options)
  }

  static is(error: unknown): error is ConnectionError {
    return isKind(error, 'ConnectionError')
  }
}

/** No answer within `timeoutMs`. */
export class TimeoutError extends OvertureError {
  constructor(message: string) {
    super('TimeoutError', message)
  }

  static is(error: unknown): error is TimeoutError {
    return isKind(error, 'TimeoutError')
  }
}

// The path of the field is part of the message, because people search logs for it.
function issuesText(details: unknown): string {
  const { issues } = (details ?? {}) as { issues?: ValidationIssue[] }
  if (!Array.isArray(issues) || issues.length === 0) return ''
  return ` [${issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')}]`
}
