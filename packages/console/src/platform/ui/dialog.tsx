import { lazy, Suspense, useState } from 'react'
import type { ConfirmProps, DialogProps } from './dialog-props.ts'

const read = () => import('./base-dialog.tsx')
const LazyDialog = lazy(() => read().then(({ BaseDialog }) => ({ default: BaseDialog })))
const LazyConfirm = lazy(() => read().then(({ BaseConfirm }) => ({ default: BaseConfirm })))

/** What is in a dialog is loaded with the first that opens, for the first screen has none. */
export function Dialog(props: DialogProps) {
  const wanted = useWanted(props.open)
  return <Suspense fallback={null}>{wanted && <LazyDialog {...props} />}</Suspense>
}

/** Asks once before what can't be taken back. What is safe has the focus. */
export function Confirm(props: ConfirmProps) {
  const wanted = useWanted(props.open)
  return <Suspense fallback={null}>{wanted && <LazyConfirm {...props} />}</Suspense>
}

// Once opened it stays, so that it can close as it should.
function useWanted(open: boolean): boolean {
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  return wanted
}
