import type { Suppression, SuppressionSource } from '@overture/sdk'
import { suppressionSources } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { useAction } from '../platform/api/action.ts'
import { ChoiceFilter, Filters, Form, SearchFilter, TextField, useSearchParams } from '../platform/form/index.ts'
import { type Column, ListTable } from '../platform/table/index.ts'
import { Time } from '../platform/time/now.tsx'
import { AskFirst, Badge, Button, Dialog, Empty, Page, Panel, say } from '../platform/ui/index.ts'
import { ImportListDialog } from './import-list.panel.tsx'
import { sourceText, text } from './suppressions.messages.ts'
import { useLists } from './suppressions.queries.ts'

const stale = () => [['suppressions'], ['leads'], ['people']]
const digestCharsShown = 12

export function SuppressionsPage() {
  const [{ q, source, list }] = useSearchParams()
  const [adding, setAdding] = useState(false)
  const [importing, setImporting] = useState(false)
  const lists = useLists()
  const filter = {
    ...(q !== undefined && { q }),
    ...(source !== undefined && { source: source as SuppressionSource }),
    ...(list !== undefined && { list }),
  }
  const filtered = q !== undefined || source !== undefined || list !== undefined
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={
        <>
          <Button operation="importSuppressions" onClick={() => setImporting(true)}>
            {text.importList}
          </Button>
          <Button look="primary" operation="createSuppression" onClick={() => setAdding(true)}>
            {text.add}
          </Button>
        </>
      }
    >
      <Filters label={text.filters}>
        <SearchFilter label={text.search} />
        <ChoiceFilter
          name="source"
          label={text.source}
          any={text.anySource}
          choices={suppressionSources.map((value) => ({ value, label: sourceText[value] }))}
        />
        <ChoiceFilter
          name="list"
          label={text.listName}
          any={text.anyList}
          choices={(lists.data ?? []).map(({ name }) => ({ value: name, label: name }))}
        />
      </Filters>
      <Panel flush label={text.list}>
        <ListTable
          label={text.list}
          reading={{
            key: ['suppressions', 'list', filter],
            page: (api, place) => api.suppressions.list({ ...filter, ...place }).page(),
            isCapped: q !== undefined,
          }}
          columns={columns}
          rowKey={({ id }) => id}
          csv={<CsvLink path="/v2/suppressions" query={filter} />}
          empty={
            <Empty title={filtered ? text.noneFit : text.none}>{filtered ? text.noneFitText : text.noneText}</Empty>
          }
        />
      </Panel>
      <ImportListDialog open={importing} close={() => setImporting(false)} />
      <AddDialog open={adding} close={() => setAdding(false)} />
    </Page>
  )
}

const columns: Column<Suppression>[] = [
  { name: text.who, cell: (one) => suppressionName(one) },
  {
    name: text.source,
    cell: ({ source }) => <Badge tone={source === 'manual' ? 'soft' : 'warn'}>{sourceText[source]}</Badge>,
  },
  { name: text.listName, cell: ({ list }) => list },
  { name: text.reason, cell: ({ reason }) => reason?.replaceAll('_', ' ') },
  { name: text.at, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { name: text.ends, cell: ({ expiresAt }) => expiresAt !== null && <Time at={expiresAt} /> },
  { name: text.lift, cell: (one) => <Lift suppression={one} /> },
]

function suppressionName({ email, domain, sha256 }: Suppression): string {
  return email ?? domain ?? (sha256 === null ? text.erased : text.digest(sha256.slice(0, digestCharsShown)))
}

function Lift({ suppression }: { suppression: Suppression }) {
  const lift = useAction({
    act: (api) => api.suppressions.delete(suppression.id),
    stale,
    done: () => say(text.lifted),
  })
  return (
    <AskFirst
      operation="deleteSuppression"
      small
      label={text.lift}
      title={text.liftTitle}
      disabledReason={suppression.source === 'recipient' ? text.cantLift : null}
      action={lift}
    >
      {text.liftText(suppressionName(suppression))}
    </AskFirst>
  )
}

function AddDialog({ open, close }: { open: boolean; close: () => void }) {
  const [who, setWho] = useState('')
  const [reason, setReason] = useState('')
  const add = useAction({
    act: (api) =>
      api.suppressions.create({
        ...(who.includes('@') ? { email: who } : { domain: who }),
        ...(reason !== '' && { reason }),
      }),
    stale,
    done: () => {
      setWho('')
      close()
    },
  })
  return (
    <Dialog title={text.addTitle} open={open} close={close} foot={null}>
      <Form
        operation="createSuppression"
        submit={() => add.mutate()}
        submitLabel={text.add}
        busy={add.isPending}
        error={add.error}
      >
        <TextField label={text.addWho} value={who} change={setWho} />
        <TextField label={text.addReason} optional value={reason} change={setReason} />
      </Form>
    </Dialog>
  )
}
