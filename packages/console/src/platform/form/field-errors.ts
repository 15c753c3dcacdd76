import { createContext, useContext, useLayoutEffect } from 'react'

/** Each field reports its own error here, so that the form does not repeat it. */
export const FieldErrors = createContext<(field: string, error: string | undefined) => void>(() => undefined)

export function useReportedError(field: string, error: string | undefined): void {
  const reportError = useContext(FieldErrors)
  useLayoutEffect(() => {
    reportError(field, error)
    return () => reportError(field, undefined)
  }, [reportError, field, error])
}
