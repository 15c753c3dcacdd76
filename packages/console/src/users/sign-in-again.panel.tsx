import { lazy, Suspense, useEffect, useState } from 'react'
import { lostSession } from '../platform/api/session-lost.ts'
import { Dialog } from '../platform/ui/index.ts'
import { useMe, useSignInState } from './session.queries.ts'
import { SingleSignOn } from './single-sign-on.tsx'
import { text } from './users.messages.ts'

const SignInPanel = lazy(() => import('./sign-in.panel.tsx').then(({ SignInPanel: Lazy }) => ({ default: Lazy })))

/** Opens above the page when the session ends, so that input on the page is kept. */
export function SignInAgain() {
  const [open, setOpen] = useState(false)
  const me = useMe()
  const methods = useSignInState().data?.methods ?? ['password']
  useEffect(() => lostSession.listen(() => setOpen(true)), [])
  return (
    <Dialog title={text.againTitle} open={open} close={() => setOpen(false)}>
      <p>{text.againLead}</p>
      <Suspense fallback={null}>
        {open && methods.includes('password') && <SignInPanel email={me.data?.email} done={() => setOpen(false)} />}
      </Suspense>
      {methods.includes('oidc') && <SingleSignOn to={location.pathname} />}
    </Dialog>
  )
}
