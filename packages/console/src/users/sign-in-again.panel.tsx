import { lazy, Suspense, useEffect, useState } from 'react'
import { lostSession } from '../platform/api/session-lost.ts'
import { Dialog } from '../platform/ui/index.ts'
import { useMe } from './session.queries.ts'
import { text } from './users.messages.ts'

const SignInPanel = lazy(() => import('./sign-in.panel.tsx').then(({ SignInPanel: Lazy }) => ({ default: Lazy })))

/** Above the page when the session ends: what is typed there stays. */
export function SignInAgain() {
  const [open, setOpen] = useState(false)
  const me = useMe()
  useEffect(() => lostSession.listen(() => setOpen(true)), [])
  return (
    <Dialog title={text.againTitle} open={open} close={() => setOpen(false)}>
      <p>{text.againLead}</p>
      <Suspense fallback={null}>{open && <SignInPanel email={me.data?.email} done={() => setOpen(false)} />}</Suspense>
    </Dialog>
  )
}
