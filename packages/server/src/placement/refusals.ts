import { AppError } from '@overture/contract/errors.ts'

/** The error for a request that is impossible now, with the code of what is in the way. */
export function refused(message: string, code: string): AppError {
  return new AppError('CONFLICT', message, {
    currentStatus: code,
    allowedActions: [],
    blockers: [{ code, message, ref: null }],
  })
}
