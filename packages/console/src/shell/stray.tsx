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

/** Shown for a page with an error. The rest of the console stays usable. */
export function Broken() {
  return (
    <Page title={text.failedTitle}>
      <Empty title={text.failedTitle} action={<Button onClick={() => location.reload()}>{text.reload}</Button>}>
        {text.failed}
      </Empty>
    </Page>
  )
}
