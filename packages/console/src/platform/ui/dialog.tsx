import { lazy, Suspense, useState } from 'react'
import type { ConfirmProps, DialogProps } from './dialog-props.ts'

const read = () => import('./base-dialog.tsx')
const LazyDialog = lazy(() => read().then(({ BaseDialog }) => ({ default: BaseDialog })))
const LazyConfirm = lazy(() => read().then(({ BaseConfirm }) => ({ default: BaseConfirm })))

/** The dialog code is loaded when the first dialog opens, since the first screen has none. */
export function Dialog(props: DialogProps) {
  const wanted = useWanted(props.open)
  return <Suspense fallback={null}>{wanted && <LazyDialog {...props} />}</Suspense>
}

/** Asks for confirmation before an action that can't be undone. The safe button has the focus. */
export function Confirm(props: ConfirmProps) {
  const wanted = useWanted(props.open)
  return <Suspense fallback={null}>{wanted && <LazyConfirm {...props} />}</Suspense>
}

// Once opened the dialog stays mounted, so that it can close properly.
function useWanted(open: boolean): boolean {
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  return wanted
}
