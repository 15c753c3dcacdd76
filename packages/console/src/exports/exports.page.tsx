import type { AccountExport } from '@overture/sdk'
import { usePermissionReason, useRole } from '../platform/session/permission.ts'
import { Button, Empty, ErrorNote, Panel, Row, Skeleton, Stack } from '../platform/ui/index.ts'
import { text as platformText } from '../platform/text/platform.messages.ts'
import { SettingsPage } from '../settings/index.ts'
import { ExportCard } from './export-card.panel.tsx'
import { text } from './exports.messages.ts'
import { isRunning, useExports } from './exports.queries.ts'
import { StartExport } from './start-export.panel.tsx'

/** Starts exports of the account, and shows those whose files can be downloaded. */
export function ExportsPage() {
  const forbidden = usePermissionReason('listExports')
  const known = useRole() !== null
  const mayList = known && forbidden === null
  const { query, items, more } = useExports({ enabled: mayList })
  const loaded = query.data !== undefined
  return (
    <SettingsPage tab="export">
      <Stack>
        {/* The form is the same before and after the role is known, so that nothing typed is lost. */}
        <StartExport runs={items.some(isRunning)} />
        {query.error !== null && <ErrorNote error={query.error} again={() => void query.refetch()} />}
        {mayList && !loaded && query.error === null && <Skeleton label={platformText.loading} />}
        {loaded && items.length === 0 && (
          <Panel label={text.none}>
            <Empty title={text.none}>{text.noneText}</Empty>
          </Panel>
        )}
        {items.map((one: AccountExport, index) => (
          <ExportCard key={one.id} listed={one} open={index === 0} />
        ))}
        {more !== null && (
          <Row>
            <Button busy={query.isFetchingNextPage} onClick={more}>
              {text.more}
            </Button>
          </Row>
        )}
      </Stack>
    </SettingsPage>
  )
}
