import type { EventType, Webhook, WebhookWithSecret } from '@overture/sdk'
import { useState } from 'react'
import { DeveloperPage } from '../api-keys/index.ts'
import { eventTypeGroups } from '../events/index.ts'
import { usePaths } from '../paths.ts'
import { useAction } from '../platform/api/action.ts'
import { CheckGroup, Form, TextField } from '../platform/form/index.ts'
import { type Column, ListTable } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Badge, Button, Dialog, Empty, findIssue, Link, Panel, ShownOnce, type Tone } from '../platform/ui/index.ts'
import { statusText, text } from './webhooks.messages.ts'

const tones: Readonly<Record<Webhook['status'], Tone>> = { active: 'good', failing: 'warn', disabled: 'bad' }

export function WebhooksPage() {
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<WebhookWithSecret | null>(null)
  const paths = usePaths()
  const add = (
    <Button look="primary" operation="createWebhook" onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  )
  const columns: Column<Webhook>[] = [
    { name: text.url, cell: ({ id, url }) => <Link to={paths.webhook(id)}>{url}</Link> },
    {
      name: text.events,
      cell: ({ events }) =>
        events.includes('*') || events.length === 0 ? text.all : text.some(numberText(events.length)),
    },
    { name: text.status, cell: ({ status }) => <Badge tone={tones[status]}>{statusText[status]}</Badge> },
  ]
  return (
    <DeveloperPage tab="webhooks" actions={add}>
      <Panel flush label={text.list}>
        <ListTable
          label={text.list}
          reading={{ key: ['webhooks', 'list'], page: (api, place) => api.webhooks.list(place).page() }}
          columns={columns}
          rowKey={({ id }) => id}
          empty={
            <Empty title={text.none} action={add}>
              {text.noneText}
            </Empty>
          }
        />
      </Panel>
      <AddDialog
        open={adding}
        close={() => setAdding(false)}
        done={(webhook) => {
          setAdding(false)
          setMade(webhook)
        }}
      />
      <SecretDialog webhook={made} close={() => setMade(null)} />
    </DeveloperPage>
  )
}

function AddDialog({
  open,
  close,
  done,
}: {
  open: boolean
  close: () => void
  done: (webhook: WebhookWithSecret) => void
}) {
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<string[]>([])
  const add = useAction<void, WebhookWithSecret>({
    act: (api) => api.webhooks.create({ url, events: events.length === 0 ? ['*'] : (events as EventType[]) }),
    stale: () => [['webhooks']],
    done,
  })
  return (
    <Dialog title={text.addTitle} wide open={open} close={close} foot={null}>
      <Form
        operation="createWebhook"
        submit={() => add.mutate()}
        submitLabel={text.addButton}
        busy={add.isPending}
        error={add.error}
      >
        <TextField
          label={text.url}
          type="url"
          hint={text.urlHint}
          placeholder={text.urlBegins}
          value={url}
          change={setUrl}
          error={findIssue(add.error, 'url')}
        />
        <p>{text.eventsHint}</p>
        {eventTypeGroups.map(({ name, choices }) => (
          <CheckGroup
            key={name}
            label={name}
            choices={choices}
            value={events}
            change={(chosen) =>
              setEvents([...events.filter((one) => !choices.some(({ value }) => value === one)), ...chosen])
            }
          />
        ))}
      </Form>
    </Dialog>
  )
}

export function SecretDialog({ webhook, close }: { webhook: WebhookWithSecret | null; close: () => void }) {
  return (
    <ShownOnce
      title={text.secretTitle}
      about={text.secretText}
      value={webhook?.secret ?? null}
      copyLabel={text.copySecret}
      close={close}
    />
  )
}
