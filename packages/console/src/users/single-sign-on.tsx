import { Button, Note } from '../platform/ui/index.ts'
import { text } from './users.messages.ts'

/** A page of the server redirects the browser to the identity provider. */
export function SingleSignOn({ to }: { to: string }) {
  const leave = (): void => location.assign(`/v2/auth/oidc/start?${new URLSearchParams({ to }).toString()}`)
  return <Button onClick={leave}>{text.withCompany}</Button>
}

/** Why single sign-on was refused. An unknown reason in the URL is ignored. */
export function Refused({ reason }: { reason: string | undefined }) {
  const reasons: Readonly<Record<string, string>> = text.refused
  if (reason === undefined || !Object.hasOwn(reasons, reason)) return null
  return (
    <Note tone="warn" role="alert">
      <p>{reasons[reason]}</p>
    </Note>
  )
}
