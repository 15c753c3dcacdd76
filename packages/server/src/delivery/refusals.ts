import { AppError } from '@overture/contract/errors.ts'

/** What can't be done now, and no action of the caller's would change. */
export function conflict(message: string, currentStatus: string): AppError {
  return new AppError('CONFLICT', message, { currentStatus, allowedActions: [] })
}
