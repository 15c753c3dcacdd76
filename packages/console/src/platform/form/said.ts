import { createContext, useContext, useLayoutEffect } from 'react'

/** Each field reports its own error here, so that the form does not repeat it. */
export const Said = createContext<(field: string, error: string | undefined) => void>(() => undefined)

export function useSaid(field: string, error: string | undefined): void {
  const tell = useContext(Said)
  useLayoutEffect(() => {
    tell(field, error)
    return () => tell(field, undefined)
  }, [tell, field, error])
}
