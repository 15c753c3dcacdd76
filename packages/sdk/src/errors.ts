import type { Blocker, ErrorCode, ErrorDetails, ValidationIssue } from './generated/types.ts'

/** Codes of this server, and those of a newer one. */
export type AnyErrorCode = ErrorCode | (string & {})

interface DetailsByCode {
  VALIDATION_ERROR: ErrorDetails & { issues: ValidationIssue[] }
  CONFLICT: ErrorDetails & { currentStatus: string; allowedActions: string[]; blockers?: Blocker[] }
}

export type DetailsOf<Code> = Code extends keyof DetailsByCode ? DetailsByCode[Code] : ErrorDetails | undefined

// Symbols of the registry are the same in every copy of this package, whatever loaded it.
const brand = Symbol.for('overture.error')

/** Whatever this client throws of its own. */
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
  /** Of an answer that says when to come again. */
  retryAfterSeconds: number | null
}

/** The server refused: its own code and words, and the id of the request for whoever looks into it. */
export class ApiError<Code extends AnyErrorCode = AnyErrorCode> extends OvertureError implements ApiErrorFacts<Code> {
  readonly status: number
  readonly code: Code
  readonly requestId: string | null
  readonly details: DetailsOf<Code>
  readonly retryAfterSeconds: number | null
  /**
   * The answer of an earlier try of this call was lost, so that it may have done what this one was refused: a deletion
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

  /** Holds across copies of this package; with a code it tells what `details` holds. */
  static is<const Code extends ErrorCode>(error: unknown, code?: Code): error is ApiError<Code> {
    return isKind(error, 'ApiError') && (code === undefined || (error as ApiError).code === code)
  }
}

/** No answer, or half of one, however often it was asked for. */
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

// The path of a field belongs into the message: it is what one looks for in a log.
function issuesText(details: unknown): string {
  const { issues } = (details ?? {}) as { issues?: ValidationIssue[] }
  if (!Array.isArray(issues) || issues.length === 0) return ''
  return ` [${issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')}]`
}
