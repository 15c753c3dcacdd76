import type { ReactNode } from 'react'
import { developerTabs, usePaths, type DeveloperTab } from '../paths.ts'
import { Page, Tabs } from '../platform/ui/index.ts'
import { text } from './keys.messages.ts'

/** The frame of every page for developers. */
export function DeveloperPage({
  tab,
  title,
  actions,
  children,
}: {
  tab: DeveloperTab
  title?: string
  actions?: ReactNode
  children: ReactNode
}) {
  const paths = usePaths()
  return (
    <Page
      title={title ?? text.title}
      documentTitle={`${title ?? text.tabs[tab]} · ${text.title}`}
      actions={
        <>
          <a href="/docs">{text.reference}</a>
          {actions}
        </>
      }
    >
      <Tabs
        label={text.tabList}
        items={developerTabs.map((one) => ({ to: paths.developers(one), label: text.tabs[one] }))}
      />
      {children}
    </Page>
  )
}
