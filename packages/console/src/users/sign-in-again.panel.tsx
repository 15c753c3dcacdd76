import { useEffect, useState } from 'react'
import { lostSession } from '../platform/api/session-lost.ts'
import { Dialog } from '../platform/ui/index.ts'
import { SignInPanel } from './sign-in.panel.tsx'
import { useMe } from './session.queries.ts'
import { text } from './users.messages.ts'

/** Above the page when the session ends: what is typed there stays. */
export function SignInAgain() {
  const [open, setOpen] = useState(false)
  const me = useMe()
  useEffect(() => lostSession.listen(() => setOpen(true)), [])
  return (
    <Dialog title={text.againTitle} open={open} close={() => setOpen(false)}>
      <p>{text.againLead}</p>
      {open && <SignInPanel email={me.data?.email} done={() => setOpen(false)} />}
    </Dialog>
  )
}
