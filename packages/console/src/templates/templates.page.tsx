import type { Template } from '@overture/sdk'
import { useState } from 'react'
import { EditorField, knownVariables } from '../editor/index.ts'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { useAction } from '../platform/api/action.ts'
import { Filters, Form, SearchFilter, TextField, useSearchParams } from '../platform/form/index.ts'
import { type Column, ListTable } from '../platform/table/index.ts'
import { Time } from '../platform/time/now.tsx'
import { AskFirst, Badge, Button, Dialog, Empty, findIssue, Page, Panel, Row } from '../platform/ui/index.ts'
import { text } from './templates.messages.ts'

const stale = () => [['templates']]
const blank = { name: '', subject: '', body: '', tags: '' }
type EditedTemplate = { id: string | null; fields: typeof blank }

export function TemplatesPage() {
  const [{ q }] = useSearchParams()
  const [editing, setEditing] = useState<EditedTemplate | null>(null)
  const filter = q === undefined ? {} : { q }
  const create = (
    <Button look="primary" operation="createTemplate" onClick={() => setEditing({ id: null, fields: blank })}>
      {text.create}
    </Button>
  )
  const columns: Column<Template>[] = [
    {
      name: text.name,
      cell: ({ id, name, subject, body, tags }) => (
        <Button
          small
          look="quiet"
          aria-label={text.edit(name)}
          onClick={() => setEditing({ id, fields: { name, subject, body, tags: tags.join(', ') } })}
        >
          {name}
        </Button>
      ),
    },
    { name: text.subject, cell: ({ subject }) => subject },
    {
      name: text.tags,
      cell: ({ tags }) => (
        <Row>
          {tags.map((tag) => (
            <Badge key={tag} plain>
              {tag}
            </Badge>
          ))}
        </Row>
      ),
    },
    { name: text.changed, cell: ({ updatedAt }) => <Time at={updatedAt} short /> },
  ]
  return (
    <Page title={text.title} lead={text.lead} actions={create}>
      <Filters label={text.filters}>
        <SearchFilter label={text.search} />
      </Filters>
      <Panel flush label={text.list}>
        <ListTable
          label={text.list}
          reading={{
            key: ['templates', 'list', filter],
            page: (api, place) => api.templates.list({ ...filter, ...place }).page(),
          }}
          columns={columns}
          rowKey={({ id }) => id}
          csv={<CsvLink path="/v2/templates" query={filter} />}
          empty={<Empty title={text.none}>{text.noneText}</Empty>}
        />
      </Panel>
      {editing !== null && <EditDialog key={editing.id} editing={editing} close={() => setEditing(null)} />}
    </Page>
  )
}

function EditDialog({ editing: { id, fields: begun }, close }: { editing: EditedTemplate; close: () => void }) {
  const [fields, setFields] = useState(begun)
  const body = {
    ...fields,
    tags: fields.tags
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  }
  const save = useAction<void, Template>({
    act: (api) => (id === null ? api.templates.create(body) : api.templates.update(id, body)),
    stale,
    done: close,
  })
  const remove = useAction({ act: (api) => api.templates.delete(id ?? ''), stale, done: close })
  const set = (name: keyof typeof fields) => (value: string) => setFields((before) => ({ ...before, [name]: value }))
  return (
    <Dialog title={text.editTitle} wide open close={close} foot={null}>
      <Form
        operation="updateTemplate"
        submit={() => save.mutate()}
        submitLabel={text.save}
        busy={save.isPending}
        error={save.error}
        beside={
          id !== null && (
            <AskFirst
              operation="deleteTemplate"
              look="danger"
              danger
              label={text.remove}
              title={text.removeTitle}
              action={remove}
            >
              {text.removeText}
            </AskFirst>
          )
        }
      >
        <TextField label={text.name} value={fields.name} change={set('name')} error={findIssue(save.error, 'name')} />
        <TextField
          label={text.subject}
          optional
          value={fields.subject}
          change={set('subject')}
          error={findIssue(save.error, 'subject')}
        />
        <EditorField
          label={text.body}
          value={fields.body}
          change={set('body')}
          variables={knownVariables}
          error={findIssue(save.error, 'body')}
        />
        <TextField label={text.tags} optional hint={text.tagsHint} value={fields.tags} change={set('tags')} />
      </Form>
    </Dialog>
  )
}
