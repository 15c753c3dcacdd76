import { createContext, useContext, useLayoutEffect } from 'react'

/** Told by each field what it says of itself, so that the form need not say it again. */
export const Said = createContext<(field: string, error: string | undefined) => void>(() => undefined)

export function useSaid(field: string, error: string | undefined): void {
  const tell = useContext(Said)
  useLayoutEffect(() => {
    tell(field, error)
    return () => tell(field, undefined)
  }, [tell, field, error])
}
