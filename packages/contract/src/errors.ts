/** Every error code of the API with its status. Source: docs/contract.md, "Conventions". */
export const errorStatus = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  INSUFFICIENT_CREDITS: 402,
  API_ACCESS_DISABLED: 403,
  INSUFFICIENT_SCOPE: 403,
  INSUFFICIENT_ROLE: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMIT_EXCEEDED: 429,
  QUOTA_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

/** One error in an input. `path` is, for example, `steps[0].variants[1].subject`. */
export interface ValidationIssue {
  path: string
  rule: string
  message: string
}

/** One reason why a campaign can't start. `ref` is the id of the resource to fix, if there is one. */
export interface Blocker {
  code: string
  message: string
  ref: string | null
}

/** A campaign or conversation that uses a sending account. */
export interface SenderUser {
  kind: 'campaign' | 'conversation'
  id: string
  name: string
}

/** All details that a refusal can have besides its message. The document describes each. */
export interface ErrorDetails {
  issues?: ValidationIssue[]
  currentStatus?: string
  allowedActions?: readonly string[]
  blockers?: Blocker[]
  fields?: readonly string[]
  users?: readonly SenderUser[]
  sendingAccountId?: string
  requiredRole?: string
  reason?: string
  retryAfterSeconds?: number
}

/**
 * The details of every CONFLICT: the current status, and the actions that are possible instead. Source: docs/contract.md, "Conventions".
 */
export interface ConflictDetails {
  currentStatus: string
  allowedActions: readonly string[]
}

/** The only way to refuse a request. Commands and pure code throw it, and only platform/http turns it into a response. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails | undefined

  constructor(code: 'CONFLICT', message: string, details: ErrorDetails & ConflictDetails)
  constructor(code: Exclude<ErrorCode, 'CONFLICT'>, message: string, details?: ErrorDetails)
  constructor(code: ErrorCode, message: string, details?: ErrorDetails) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.details = details
  }
}

/** The same answer for a resource that does not exist and for one of another account. */
export function notFound(): AppError {
  return new AppError('NOT_FOUND', 'Not found.')
}

export function invalid(...issues: ValidationIssue[]): AppError {
  return new AppError('VALIDATION_ERROR', issues[0]?.message ?? 'The request is not valid.', { issues })
}

/** The error for a request that is impossible now and that no other action of the caller would make possible. */
export function conflict(message: string, currentStatus: string): AppError {
  return new AppError('CONFLICT', message, { currentStatus, allowedActions: [] })
}
