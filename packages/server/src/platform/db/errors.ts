import { constraintInMessage, withoutShard } from './several-servers.ts'

/** The SQLSTATE of an error from PostgreSQL, or the system's code of a failed connection. */
export function errorCode(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : null
}

/** Whether a unique constraint or index refused the row; with `constraint`, only that one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (errorCode(error) !== '23505') return false
  return constraint === undefined || violatedConstraint(error) === constraint
}

/** Whether the row that this constraint refers to does not exist. */
export function isForeignKeyViolation(error: unknown, constraint: string): boolean {
  return errorCode(error) === '23503' && violatedConstraint(error) === constraint
}

function violatedConstraint(error: unknown): string | undefined {
  const { constraint, message = '' } = error as { constraint?: string; message?: string }
  return constraint === undefined ? constraintInMessage(message) : withoutShard(constraint)
}

/** Whether the database can never accept a value or the row, so that a retry can't succeed. */
export function isRefusedValue(error: unknown): boolean {
  return /^2[23]/.test(errorCode(error) ?? '')
}

/** Whether it is a serialization failure or a deadlock: the same transaction may succeed on a retry. */
export function isRetryable(error: unknown): boolean {
  const code = errorCode(error)
  return code === '40001' || code === '40P01'
}

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/**
 * Too many connections or a limit of the configuration (53300, 53400), the end of a session by the server (57P01 to 57P05), and
 * failed connections.
 */
const unavailableStates = /^(?:53[34]00|57P0[1-5]|0800[0-7])$/

/** Whether the database is not reachable, has no free connection, or is starting or shutting down. A retry a moment later may succeed. */
export function isUnavailable(error: unknown): boolean {
  const code = errorCode(error)
  if (code !== null)
    return unavailableCodes.has(code) || unavailableStates.test(code) || isClosedDatabase(error) || isFullPooler(error)
  return (
    error instanceof Error &&
    /^Connection terminated|^Client has encountered a connection error|^timeout expired$|^timeout exceeded when trying to connect$/.test(
      error.message,
    )
  )
}

/** Whether the database accepts no connections at the moment (`allow_connections` is off). Other errors have the same SQLSTATE. */
function isClosedDatabase(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  return code === '55000' && routine === 'CheckMyDatabase'
}

/** A pooler has no connection to lend. PostgreSQL has the same SQLSTATE for faults of a client, but names the routine. */
function isFullPooler(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  return code === '08P01' && routine === undefined
}
