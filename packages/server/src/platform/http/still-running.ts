import { AppError } from '@overture/contract/errors.ts'

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
