import type { ReactNode } from 'react'
import { usePaths } from '../paths.ts'
import { numberText } from '../platform/time/format.ts'
import { Button, Empty, Note, Page, Panel, Row, Shown, Tabs } from '../platform/ui/index.ts'
import { text } from './finder.messages.ts'
import { useBalance, useSearchReady } from './finder.queries.ts'

export function FinderPage({ tab, children }: { tab: 'people' | 'companies'; children: ReactNode }) {
  const paths = usePaths()
  const balance = useBalance()
  const isReady = useSearchReady()
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
      {!isReady && <Note tone="warn">{text.notReady}</Note>}
      {children}
    </Page>
  )
}

interface FoundPage<Item> {
  results: readonly Item[]
  pagination: { currentPage: number; totalPages: number; totalCount: number }
}

export interface FoundProps<Item> {
  of: { data: FoundPage<Item> | undefined; isPending: boolean }
  /** Searches for this page of the results. */
  begin: (page: number) => void
  children: (results: readonly Item[]) => ReactNode
}

/** The results of a search, one page at a time. Before the first search it shows what can be searched for. */
export function Found<Item>({ of: { data, isPending }, begin, children }: FoundProps<Item>) {
  if (data === undefined && !isPending) return <Empty title={text.begin}>{text.beginText}</Empty>
  return (
    <Shown of={{ data, error: null, refetch: () => begin(1) }}>
      {({ results, pagination: { currentPage, totalPages, totalCount } }) =>
        results.length === 0 ? (
          <Empty title={text.none}>{text.noneText}</Empty>
        ) : (
          <>
            <Panel flush title={text.results(numberText(totalCount))}>
              {children(results)}
            </Panel>
            <Pages page={currentPage} pages={totalPages} go={begin} busy={isPending} />
          </>
        )
      }
    </Shown>
  )
}

interface PagesProps {
  page: number
  pages: number
  go: (page: number) => void
  busy: boolean
}

function Pages({ page, pages, go, busy }: PagesProps) {
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

/** Splits `Berlin, Hamburg` into two. */
export function splitValues(typed: string): string[] {
  return typed
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}
