import { AppError } from '@overture/contract/errors.ts'

/** The error for a request that is impossible now and that no other action of the caller would make possible. */
export function conflict(message: string, currentStatus: string): AppError {
  return new AppError('CONFLICT', message, { currentStatus, allowedActions: [] })
}
