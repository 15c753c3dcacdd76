import { Button, Note } from '../platform/ui/index.ts'
import { text } from './users.messages.ts'

/** The way to the issuer is a page of the server, which sends the browser on. */
export function SingleSignOn({ to }: { to: string }) {
  const leave = (): void => location.assign(`/v2/auth/oidc/start?${new URLSearchParams({ to }).toString()}`)
  return <Button onClick={leave}>{text.withCompany}</Button>
}

/** Why the issuer's word did not let somebody in; another word than ours says nothing. */
export function Refused({ reason }: { reason: string | undefined }) {
  const reasons: Readonly<Record<string, string>> = text.refused
  if (reason === undefined || !Object.hasOwn(reasons, reason)) return null
  return (
    <Note tone="warn" role="alert">
      <p>{reasons[reason]}</p>
    </Note>
  )
}
