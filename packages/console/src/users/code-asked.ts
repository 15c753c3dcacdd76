import { ApiError } from '@overture/sdk'
import { useState } from 'react'

/** Password or link were right, and a code of the authenticator is needed, too. */
export function asksCode(error: unknown): boolean {
  return ApiError.is(error) && (error.details as { reason?: string } | undefined)?.reason === 'code_required'
}

/** Once a code was asked for its field stays, whatever is answered next. */
export function useCodeAsked(error: unknown): boolean {
  const [isAsked, setAsked] = useState(false)
  if (asksCode(error) && !isAsked) setAsked(true)
  return isAsked
}
