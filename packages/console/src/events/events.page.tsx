import type { Event, EventType } from '@overture/sdk'
import { useState } from 'react'
import { DeveloperPage } from '../api-keys/index.ts'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { ChoiceFilter, Filters, useSearchParams } from '../platform/form/index.ts'
import { type Column, ListTable } from '../platform/table/index.ts'
import { Time } from '../platform/time/now.tsx'
import { Button, Dialog, Empty, Panel } from '../platform/ui/index.ts'
import { eventTypeChoices } from './choices.ts'
import { eventTypeText, text } from './events.messages.ts'
import styles from './events.module.css'

/** The event log, newest first, each event with its body. */
export function EventsPage() {
  const [{ type }] = useSearchParams()
  const [shown, setShown] = useState<Event | null>(null)
  const filter = { order: 'desc' as const, ...(type !== undefined && { type: type as EventType }) }
  const columns: Column<Event>[] = [
    { name: text.type, cell: (event) => eventTypeText(event.type) },
    { name: text.at, cell: ({ occurredAt }) => <Time at={occurredAt} /> },
    { name: text.lead_, cell: ({ data }) => data.leadEmail },
    {
      name: text.body,
      cell: (event) => (
        <Button small look="quiet" onClick={() => setShown(event)}>
          {text.show}
        </Button>
      ),
    },
  ]
  return (
    <DeveloperPage tab="events">
      <p>{text.lead}</p>
      <Filters label={text.filters}>
        <ChoiceFilter name="type" label={text.type} any={text.anyType} choices={eventTypeChoices} />
      </Filters>
      <Panel flush label={text.list}>
        <ListTable
          label={text.list}
          reading={{
            key: ['events', 'list', filter],
            page: (api, place) => api.events.list({ ...filter, ...place }).page(),
            isCapped: true,
          }}
          columns={columns}
          rowKey={({ id }) => id}
          csv={<CsvLink path="/v2/events" query={filter} />}
          empty={<Empty title={text.none}>{text.noneText}</Empty>}
        />
      </Panel>
      <Dialog
        title={shown === null ? text.body : eventTypeText(shown.type)}
        wide
        open={shown !== null}
        close={() => setShown(null)}
      >
        <pre className={styles['body']} tabIndex={0}>
          {JSON.stringify(shown, null, 2)}
        </pre>
      </Dialog>
    </DeveloperPage>
  )
}
