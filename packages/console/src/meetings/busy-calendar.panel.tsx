import type { Availability } from '@overture/sdk'
import { useState } from 'react'
import { useAction } from '../platform/api/action.ts'
import { useEnvironment } from '../platform/api/environment.tsx'
import { Form, TextField } from '../platform/form/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Time } from '../platform/time/now.tsx'
import { Button, Facts, findIssue, Note, Panel, say, Soft } from '../platform/ui/index.ts'
import { text } from './meetings.messages.ts'

type BusyCalendar = Availability['busyCalendar']

/** The host's own calendar, whose busy hours the booking page does not offer. */
export function BusyCalendarPanel({ calendar }: { calendar: BusyCalendar }) {
  const test = useEnvironment() === 'test'
  return (
    <Panel title={text.calendar}>
      <p>{text.calendarWhy}</p>
      {test && <Note>{text.calendarTest}</Note>}
      {calendar.configured ? <Connected calendar={calendar} /> : <Connect />}
    </Panel>
  )
}

function Connected({ calendar: { host, readAt, error, busyTimes } }: { calendar: BusyCalendar }) {
  const test = useEnvironment() === 'test'
  const remove = useAction({
    act: (api) => api.meetings.availability.update({ calendarUrl: null }),
    stale: () => [['meetings', 'availability']],
    done: () => say(text.calendarRemoved),
  })
  return (
    <>
      <p>{text.calendarFrom(host ?? '')}</p>
      {error !== null && <Note tone="warn">{error}</Note>}
      {readAt !== null ? (
        <Facts
          items={[
            { label: text.calendarRead, value: <Time at={readAt} /> },
            { label: text.calendarFound, value: text.calendarTimes(numberText(busyTimes)) },
          ]}
        />
      ) : (
        !test && error === null && <Soft>{text.calendarWaiting}</Soft>
      )}
      <div>
        <Button operation="updateAvailability" busy={remove.isPending} onClick={() => remove.mutate()}>
          {text.calendarRemove}
        </Button>
      </div>
    </>
  )
}

function Connect() {
  const [url, setUrl] = useState('')
  const connect = useAction({
    act: (api) => api.meetings.availability.update({ calendarUrl: url.trim() }),
    stale: () => [['meetings', 'availability']],
    done: () => say(text.calendarConnected),
  })
  return (
    <Form
      operation="updateAvailability"
      submit={() => connect.mutate()}
      submitLabel={text.calendarConnect}
      busy={connect.isPending}
      error={connect.error}
    >
      <TextField
        label={text.calendarUrl}
        hint={text.calendarHint}
        type="url"
        value={url}
        change={setUrl}
        error={findIssue(connect.error, 'calendarUrl')}
      />
      <details>
        <summary>{text.calendarHow}</summary>
        <ul>
          {text.calendarPlaces.map((place) => (
            <li key={place}>{place}</li>
          ))}
        </ul>
      </details>
    </Form>
  )
}
