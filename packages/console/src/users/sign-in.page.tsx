import { useRouterState } from '@tanstack/react-router'
import { Link, Shown, useGo } from '../platform/ui/index.ts'
import { Card } from './card.tsx'
import { Refused, SingleSignOn } from './single-sign-on.tsx'
import { SignInPanel } from './sign-in.panel.tsx'
import { useSignInState } from './session.queries.ts'
import { text } from './users.messages.ts'

export function SignInPage() {
  const state = useSignInState()
  const go = useGo()
  const { to, refused } = useRouterState({
    select: ({ location }) => location.search as { to?: string; refused?: string },
  })
  // A link from another site can't redirect the user to another site.
  const target = to !== undefined && /^\/app\/(?!\/)/.test(to) ? to : '/app/'
  return (
    <Card title={text.signIn} lead={text.signInLead}>
      <Refused reason={refused} />
      <Shown of={state}>
        {({ methods }) => (
          <>
            {methods.includes('password') && <SignInPanel done={() => go(target, { replace: true })} />}
            {methods.includes('password') && <Link to="/app/forgot">{text.forgot}</Link>}
            {methods.includes('oidc') && <SingleSignOn to={target} />}
          </>
        )}
      </Shown>
    </Card>
  )
}
