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

/** One thing that is wrong with an input. `path` reads like `steps[0].variants[1].subject`. */
export interface ValidationIssue {
  path: string
  rule: string
  message: string
}

/** One thing that keeps a campaign from starting. `ref` is the id of what to mend, where there is one. */
export interface Blocker {
  code: string
  message: string
  ref: string | null
}

/** What uses a sending account: a campaign or a conversation. */
export interface SenderUser {
  kind: 'campaign' | 'conversation'
  id: string
  name: string
}

/** Everything that a refusal can tell beside its message; the document says of each what it is. */
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

/** What every CONFLICT tells: why not now, and what could be done instead. Source: docs/contract.md, "Conventions". */
export interface ConflictDetails {
  currentStatus: string
  allowedActions: readonly string[]
}

/** The one way to refuse: thrown by commands and pure cores, turned into a response by platform/http alone. */
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

/** The identical answer for what does not exist and for what belongs to somebody else. */
export function notFound(): AppError {
  return new AppError('NOT_FOUND', 'Not found.')
}

export function invalid(...issues: ValidationIssue[]): AppError {
  return new AppError('VALIDATION_ERROR', issues[0]?.message ?? 'The request is not valid.', { issues })
}
