import type { ReactNode } from 'react'
import { text } from '../text/platform.messages.ts'
import { ErrorNote } from './error.tsx'
import { Skeleton } from './shown.tsx'

interface Answer<Data> {
  data: Data | undefined
  error: Error | null
  refetch: () => unknown
}

/** What was read, or that it is being read, or why it could not be; old data stays while it is read anew. */
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
