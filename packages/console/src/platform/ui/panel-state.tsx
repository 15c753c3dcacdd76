import type { ReactNode } from 'react'
import { text } from '../text/platform.messages.ts'
import { ErrorNote } from './error.tsx'
import { Skeleton } from './shown.tsx'

interface Answer<Data> {
  data: Data | undefined
  error: Error | null
  refetch: () => unknown
}

/** Shows data, or its loading state, or the error. Old data stays visible while it is read again. */
export function Shown<Data>({ of, children }: { of: Answer<Data>; children: (data: Data) => ReactNode }) {
  const { data, error, refetch } = of
  const note = error === null ? null : <ErrorNote error={error} again={() => void refetch()} />
  if (data === undefined) return note ?? <Skeleton label={text.loading} />
  return (
    <>
      {note}
      {children(data)}
    </>
  )
}
