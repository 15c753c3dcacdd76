import { ApiError } from '@overture/sdk'
import { useState } from 'react'

/** Whether the password or link was right, and an authenticator code is also needed. */
export function asksCode(error: unknown): boolean {
  return ApiError.is(error) && (error.details as { reason?: string } | undefined)?.reason === 'code_required'
}

/** Once a code was requested its field stays, whatever the next answer is. */
export function useCodeAsked(error: unknown): boolean {
  const [isAsked, setAsked] = useState(false)
  if (asksCode(error) && !isAsked) setAsked(true)
  return isAsked
}
