import type { ReactNode } from 'react'
import { usePaths } from '../paths.ts'
import { numberText } from '../platform/time/format.ts'
import { Button, Page, Row, Tabs } from '../platform/ui/index.ts'
import { text } from './finder.messages.ts'
import { useBalance } from './finder.queries.ts'

export function FinderPage({ tab, children }: { tab: 'people' | 'companies'; children: ReactNode }) {
  const paths = usePaths()
  const balance = useBalance()
  return (
    <Page
      title={text.title}
      documentTitle={`${text.tabs[tab]} · ${text.title}`}
      lead={text.peopleLead}
      actions={<span role="status">{balance === undefined ? '' : text.balance(numberText(balance))}</span>}
    >
      <Tabs
        label={text.tabList}
        items={(['people', 'companies'] as const).map((one) => ({ to: paths.finder(one), label: text.tabs[one] }))}
      />
      {children}
    </Page>
  )
}

export function Pages({
  page,
  pages,
  go,
  busy,
}: {
  page: number
  pages: number
  go: (page: number) => void
  busy: boolean
}) {
  return (
    <Row>
      {page > 1 && (
        <Button small busy={busy} onClick={() => go(page - 1)}>
          {text.previous}
        </Button>
      )}
      <span>{text.page(numberText(page), numberText(pages))}</span>
      {page < pages && (
        <Button small busy={busy} onClick={() => go(page + 1)}>
          {text.next}
        </Button>
      )}
    </Row>
  )
}

/** `Berlin, Hamburg` as two. */
export function severalOf(typed: string): string[] {
  return typed
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}
