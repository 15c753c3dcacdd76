import type { ListOfPeople } from '@overture/sdk'
import { useState } from 'react'
import { usePaths } from '../paths.ts'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { Filters, Form, SearchFilter, TextField, useSearchParams } from '../platform/form/index.ts'
import { type Column, ListTable } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Time } from '../platform/time/now.tsx'
import { Button, Dialog, Empty, findIssue, Link, Page, Panel, say, useGo } from '../platform/ui/index.ts'
import { useCreateList } from './lists.actions.ts'
import { text } from './lists.messages.ts'

export function ListsPage() {
  const [{ q }] = useSearchParams()
  const [creating, setCreating] = useState(false)
  const paths = usePaths()
  const filter = q === undefined ? {} : { q }
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={
        <Button look="primary" operation="createList" onClick={() => setCreating(true)}>
          {text.create}
        </Button>
      }
    >
      <Filters label={text.filters}>
        <SearchFilter label={text.search} />
      </Filters>
      <Panel flush label={text.list}>
        <ListTable
          label={text.list}
          reading={{
            key: ['lists', 'list', filter],
            page: (api, place) => api.lists.list({ ...filter, ...place }).page(),
          }}
          columns={listColumns(paths.list)}
          rowKey={({ id }) => id}
          csv={<CsvLink path="/v2/lists" query={filter} />}
          empty={
            <Empty title={q === undefined ? text.none : text.noneFit}>
              {q === undefined ? text.noneText : text.noneFitText}
            </Empty>
          }
        />
      </Panel>
      <CreateDialog open={creating} close={() => setCreating(false)} />
    </Page>
  )
}

function listColumns(to: (id: string) => string): Column<ListOfPeople>[] {
  return [
    { name: text.name, cell: ({ id, name }) => <Link to={to(id)}>{name}</Link> },
    { name: text.members, number: true, cell: ({ memberCount }) => numberText(memberCount) },
    { name: text.followers, cell: ({ followers }) => followers.map(({ campaignName }) => campaignName).join(', ') },
    { name: text.changed, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  ]
}

function CreateDialog({ open, close }: { open: boolean; close: () => void }) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const go = useGo()
  const paths = usePaths()
  const create = useCreateList(({ id }) => {
    say(text.created)
    go(paths.list(id))
  })
  return (
    <Dialog title={text.create} open={open} close={close} foot={null}>
      <Form
        operation="createList"
        submit={() => create.mutate({ name, description })}
        submitLabel={text.create}
        busy={create.isPending}
        error={create.error}
      >
        <TextField label={text.name} value={name} change={setName} error={findIssue(create.error, 'name')} />
        <TextField label={text.description} optional value={description} change={setDescription} />
      </Form>
    </Dialog>
  )
}
