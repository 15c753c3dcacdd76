import type { ReactNode } from 'react'
import { settingsTabs, usePaths, type SettingsTab } from '../paths.ts'
import { Page, Tabs } from '../platform/ui/index.ts'
import { text } from './settings.messages.ts'

export function SettingsPage({ tab, children }: { tab: SettingsTab; children: ReactNode }) {
  const paths = usePaths()
  return (
    <Page title={text.title} documentTitle={`${text.tabs[tab]} · ${text.title}`}>
      <Tabs
        label={text.tabList}
        items={settingsTabs.map((one) => ({ to: paths.settings(one), label: text.tabs[one] }))}
      />
      {children}
    </Page>
  )
}
