import type { Availability } from '@overture/sdk'
import { useState } from 'react'
import { Windows } from '../campaigns/index.ts'
import { useAction } from '../platform/api/action.ts'
import { useReading } from '../platform/api/query.ts'
import { CheckField, Form, NumberField, Pair, TextField, ZoneField } from '../platform/form/index.ts'
import { CopyButton, findIssue, Panel, Row, say, Shown } from '../platform/ui/index.ts'
import { BusyCalendarPanel } from './busy-calendar.panel.tsx'
import { MeetingsFrame } from './frame.tsx'
import { text } from './meetings.messages.ts'

export function AvailabilityPage() {
  const availability = useReading<Availability>({
    key: ['meetings', 'availability'],
    read: (api) => api.meetings.availability.get(),
  })
  return (
    <MeetingsFrame tab="availability">
      <Shown of={availability}>
        {(data) => (
          <>
            <AvailabilityForm availability={data} />
            <BusyCalendarPanel calendar={data.busyCalendar} />
          </>
        )}
      </Shown>
    </MeetingsFrame>
  )
}

const numbers = [
  ['durationMinutes', text.duration],
  ['bufferMinutes', text.buffer],
  ['minNoticeMinutes', text.notice],
  ['maxDaysAhead', text.ahead],
] as const
const texts = [
  ['hostName', text.hostName],
  ['hostEmail', text.hostEmail],
  ['joinUrl', text.joinUrl],
] as const

function AvailabilityForm({ availability }: { availability: Availability }) {
  const [changes, setChanges] = useState<Partial<Availability>>({})
  const fields = { ...availability, ...changes }
  const save = useAction({
    act: (api) => {
      const { calCom: _calCom, calendly: _calendly, bookingUrl: _url, updatedAt: _at, ...others } = fields
      const { busyCalendar: _busyCalendar, ...sent } = others
      return api.meetings.availability.update(sent)
    },
    stale: () => [['meetings', 'availability']],
    done() {
      setChanges({})
      say(text.saved)
    },
  })
  const set = (more: Partial<Availability>): void => setChanges({ ...changes, ...more })
  return (
    <Form
      operation="updateAvailability"
      guarded
      submit={() => save.mutate()}
      submitLabel={text.save}
      busy={save.isPending}
      error={save.error}
    >
      <Panel title={text.page}>
        <Row>
          <a href={availability.bookingUrl}>{availability.bookingUrl}</a>
          <CopyButton small label={text.copyLink} value={availability.bookingUrl} />
        </Row>
        <CheckField label={text.enabled} checked={fields.enabled} change={(enabled) => set({ enabled })} />
      </Panel>
      <Panel title={text.settings}>
        <Pair>
          <TextField
            label={text.titleField}
            value={fields.title}
            change={(title) => set({ title })}
            error={findIssue(save.error, 'title')}
          />
          <ZoneField
            label={text.timezone}
            value={fields.timezone}
            change={(timezone) => set({ timezone })}
            error={findIssue(save.error, 'timezone')}
          />
        </Pair>
        <Pair>
          {numbers.map(([name, label]) => (
            <NumberField
              key={name}
              label={label}
              value={fields[name]}
              change={(value) => set({ [name]: value ?? 0 })}
              error={findIssue(save.error, name)}
            />
          ))}
        </Pair>
        <Pair>
          {texts.map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              optional
              value={fields[name] ?? ''}
              change={(value) => set({ [name]: value || null })}
              error={findIssue(save.error, name)}
            />
          ))}
        </Pair>
        <Windows windows={fields.windows} change={(windows) => set({ windows })} off={false} />
      </Panel>
    </Form>
  )
}
