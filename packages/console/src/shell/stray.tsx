import { Button, Empty, LinkButton, Page } from '../platform/ui/index.ts'
import { text } from './shell.messages.ts'

export function NotFound() {
  return (
    <Page title={text.notFoundTitle}>
      <Empty title={text.notFoundTitle} action={<LinkButton to="/app/">{text.toHome}</LinkButton>}>
        {text.notFound}
      </Empty>
    </Page>
  )
}

/** A bug in one page leaves the rest standing. */
export function Broken() {
  return (
    <Page title={text.failedTitle}>
      <Empty title={text.failedTitle} action={<Button onClick={() => location.reload()}>{text.reload}</Button>}>
        {text.failed}
      </Empty>
    </Page>
  )
}
