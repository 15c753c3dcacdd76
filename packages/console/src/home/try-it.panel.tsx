import { usePaths } from '../paths.ts'
import { Button, ErrorNote, Panel, Row, useGo } from '../platform/ui/index.ts'
import { useTenantTime } from '../platform/time/now.tsx'
import { useMe } from '../users/index.ts'
import { text } from './home.messages.ts'
import { useTryIt } from './try-it.actions.ts'

/** The first panel that a new user sees: it leads from an empty account to replies in the inbox. */
export function TryIt() {
  const paths = usePaths()
  const go = useGo()
  const me = useMe()
  const { zone } = useTenantTime()
  const tryIt = useTryIt(() => go(paths.inbox))
  const begin = (): void =>
    tryIt.mutate({ name: text.tryCampaign, fromName: me.data?.name ?? text.tryCampaign, timezone: zone })
  return (
    <Panel title={text.tryTitle}>
      <p>{text.tryText}</p>
      <Row>
        <Button look="primary" operation="createSendingAccount" busy={tryIt.isPending} onClick={begin}>
          {text.tryIt}
        </Button>
        <span role="status">{tryIt.isPending ? text.trying[tryIt.stage] : ''}</span>
      </Row>
      <ErrorNote error={tryIt.error} again={begin} />
    </Panel>
  )
}
