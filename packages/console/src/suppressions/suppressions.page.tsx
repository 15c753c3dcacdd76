import type { Suppression, SuppressionSource } from '@overture/sdk'
import { suppressionSources } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { useAction } from '../platform/api/action.ts'
import { Filters, Form, SelectField, TextField, useSearchParams, useTypedParam } from '../platform/form/index.ts'
import { ListTable, type Column } from '../platform/table/index.ts'
import { Time } from '../platform/time/now.tsx'
import { Badge, Button, Confirm, Dialog, Empty, ErrorNote, Page, Panel, say } from '../platform/ui/index.ts'
import { sourceText, text } from './suppressions.messages.ts'

const stale = () => [['suppressions'], ['leads'], ['people']]

export function SuppressionsPage() {
  const [{ q, source }, change] = useSearchParams()
  const [typed, setTyped] = useTypedParam('q')
  const [adding, setAdding] = useState(false)
  const filter = { ...(q !== undefined && { q }), ...(source !== undefined && { source: source as SuppressionSource }) }
  const filtered = q !== undefined || source !== undefined
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={
        <Button look="primary" onClick={() => setAdding(true)}>
          {text.add}
        </Button>
      }
    >
      <Filters label={text.filters}>
        <TextField label={text.search} type="search" value={typed} change={setTyped} />
        <SelectField
          label={text.source}
          value={source ?? ''}
          change={(value) => change({ source: value })}
          choices={[
            { value: '', label: text.anySource },
            ...suppressionSources.map((value) => ({ value, label: sourceText[value] })),
          ]}
        />
      </Filters>
      <Panel flush label={text.list}>
        <ListTable
          label={text.list}
          reading={{
            key: ['suppressions', 'list', filter],
            page: (api, place) => api.suppressions.list({ ...filter, ...place }).page(),
          }}
          columns={columns}
          rowKey={({ id }) => id}
          csv={<CsvLink path="/v2/suppressions" query={filter} />}
          empty={
            <Empty title={filtered ? text.noneFit : text.none}>{filtered ? text.noneFitText : text.noneText}</Empty>
          }
        />
      </Panel>
      <AddDialog open={adding} close={() => setAdding(false)} />
    </Page>
  )
}

const columns: Column<Suppression>[] = [
  { name: text.who, cell: (one) => nameOf(one) },
  {
    name: text.source,
    cell: ({ source }) => <Badge tone={source === 'manual' ? 'soft' : 'warn'}>{sourceText[source]}</Badge>,
  },
  { name: text.reason, cell: ({ reason }) => reason },
  { name: text.at, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { name: text.lift, cell: (one) => <Lift suppression={one} /> },
]

function nameOf({ email, domain }: Suppression): string {
  return email ?? domain ?? text.erased
}

function Lift({ suppression }: { suppression: Suppression }) {
  const [asking, setAsking] = useState(false)
  const lift = useAction({
    act: (api) => api.suppressions.delete(suppression.id),
    stale,
    done: () => {
      setAsking(false)
      say(text.lifted)
    },
  })
  return (
    <>
      <Button
        small
        disabledReason={suppression.source === 'recipient' ? text.cantLift : null}
        onClick={() => setAsking(true)}
      >
        {text.lift}
      </Button>
      <Confirm
        title={text.liftTitle}
        open={asking}
        close={() => setAsking(false)}
        confirmLabel={text.lift}
        busy={lift.isPending}
        confirm={() => lift.mutate()}
      >
        <p>{text.liftText(nameOf(suppression))}</p>
        <ErrorNote error={lift.error} />
      </Confirm>
    </>
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
      <Form submit={() => add.mutate()} submitLabel={text.add} busy={add.isPending} error={add.error}>
        <TextField label={text.addWho} value={who} change={setWho} />
        <TextField label={text.addReason} optional value={reason} change={setReason} />
      </Form>
    </Dialog>
  )
}
