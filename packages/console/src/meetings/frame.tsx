import type { ReactNode } from 'react'
import { usePaths } from '../paths.ts'
import { Page, Tabs } from '../platform/ui/index.ts'
import { text } from './meetings.messages.ts'

export function MeetingsFrame({ tab, children }: { tab: 'list' | 'availability'; children: ReactNode }) {
  const paths = usePaths()
  return (
    <Page title={text.title} documentTitle={tab === 'list' ? text.title : `${text.tabs[tab]} · ${text.title}`}>
      <Tabs
        label={text.tabList}
        items={(['list', 'availability'] as const).map((one) => ({ to: paths.meetings(one), label: text.tabs[one] }))}
      />
      {children}
    </Page>
  )
}
