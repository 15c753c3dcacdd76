import { lazy, Suspense } from 'react'
import { useEnvironment } from '../platform/api/environment.tsx'
import { Page, Panel, Skeleton } from '../platform/ui/index.ts'
import { text } from './home.messages.ts'
import { useSummary } from './home.queries.ts'
import { Today } from './today.panel.tsx'

// This panel imports the texts and actions of leads, which the first screen does not need.
const NeedsYou = lazy(() => import('./needs-you.panel.tsx').then(({ NeedsYou: Lazy }) => ({ default: Lazy })))
// This panel imports those of campaigns.
const Running = lazy(() => import('./running.panel.tsx').then(({ Running: Lazy }) => ({ default: Lazy })))
const LastDays = lazy(() => import('./last-days.panel.tsx').then(({ LastDays: Lazy }) => ({ default: Lazy })))
// These are last on the page, and needed only until the setup is done.
const SettingUp = lazy(() => import('./setting-up.panel.tsx').then(({ SettingUp: Lazy }) => ({ default: Lazy })))
const TryIt = lazy(() => import('./try-it.panel.tsx').then(({ TryIt: Lazy }) => ({ default: Lazy })))

export function HomePage() {
  const test = useEnvironment() === 'test'
  const summary = useSummary()
  const fresh = summary.data?.campaigns.total === 0
  return (
    <Page title={text.title}>
      <Suspense fallback={null}>{test && fresh && <TryIt />}</Suspense>
      <Suspense fallback={<Coming title={text.needsYou} />}>
        <NeedsYou />
      </Suspense>
      <Today />
      <Suspense fallback={<Coming title={text.running} />}>
        <Running />
      </Suspense>
      <Suspense fallback={null}>
        <LastDays />
      </Suspense>
      <Suspense fallback={null}>
        <SettingUp />
      </Suspense>
    </Page>
  )
}

function Coming({ title }: { title: string }) {
  return (
    <Panel title={title}>
      <Skeleton label={title} />
    </Panel>
  )
}
