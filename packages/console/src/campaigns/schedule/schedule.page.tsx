import type { Campaign, Schedule } from '@overture/sdk'
import { structureEditableIn } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { CheckField, Form, Pair, TextField, ZoneField } from '../../platform/form/index.ts'
import { numberText } from '../../platform/time/format.ts'
import { findIssue, Note, Panel, say, Soft } from '../../platform/ui/index.ts'
import { CampaignPage } from '../campaign-frame.panel.tsx'
import { useUpdateCampaign } from '../campaigns.actions.ts'
import { clockTime } from './clock-time.ts'
import { DatesField } from './dates-field.tsx'
import { HolidaysField } from './holidays.panel.tsx'
import { firstOverlap } from './overlaps.ts'
import { text } from './schedule.messages.ts'
import { Windows } from './schedule-windows.tsx'
import { knownZones, matchZone } from '../../platform/time/zones.ts'

export function SchedulePage() {
  return (
    <CampaignPage tab="schedule">{(campaign) => <ScheduleForm key={campaign.id} campaign={campaign} />}</CampaignPage>
  )
}

function ScheduleForm({ campaign }: { campaign: Campaign }) {
  const [schedule, setSchedule] = useState(campaign.schedule)
  const update = useUpdateCampaign(campaign.id)
  const overlap = overlapText(schedule)
  const reason = structureEditableIn.includes(campaign.status) ? overlap : text.fixed
  const off = !structureEditableIn.includes(campaign.status)
  const isSaved = JSON.stringify(schedule) === JSON.stringify(campaign.schedule)
  const set = (changes: Partial<Schedule>): void => setSchedule({ ...schedule, ...changes })
  const issue = (path: string): string | undefined => findIssue(update.error, `schedule.${path}`)
  const submit = (): void => {
    const written = asMeant(schedule)
    setSchedule(written)
    update.mutate({ schedule: written }, { onSuccess: () => say(text.saved) })
  }
  return (
    <Form
      operation="updateCampaign"
      guarded
      submit={submit}
      submitLabel={text.save}
      busy={update.isPending}
      error={update.error}
      reason={reason}
      beside={isSaved ? undefined : <Soft>{text.notSaved}</Soft>}
    >
      <Panel title={text.window}>
        <Pair>
          <ZoneField
            label={text.timezone}
            hint={text.timezoneHint}
            value={schedule.timezone}
            change={(timezone) => set({ timezone })}
            off={off}
            error={issue('timezone')}
          />
          <CheckField
            label={text.useLeadTimezone}
            disabled={off}
            checked={schedule.useLeadTimezone}
            change={(useLeadTimezone) => set({ useLeadTimezone })}
          />
        </Pair>
        <Windows windows={schedule.windows} change={(windows) => set({ windows })} off={off} issue={issue} />
        {overlap !== null && <Note tone="warn">{overlap}</Note>}
        <Dates schedule={schedule} set={set} off={off} issue={issue} />
      </Panel>
    </Form>
  )
}

interface DatesProps {
  schedule: Schedule
  set: (changes: Partial<Schedule>) => void
  off: boolean
  issue: (path: string) => string | undefined
}

function Dates({ schedule, set, off, issue }: DatesProps) {
  const field = (name: 'startDate' | 'endDate') => (
    <TextField
      label={text[name]}
      type="date"
      optional
      disabled={off}
      value={schedule[name] ?? ''}
      change={(value) => set({ [name]: value || null })}
      error={issue(name)}
    />
  )
  return (
    <>
      <Pair>
        {field('startDate')}
        {field('endDate')}
      </Pair>
      <HolidaysField
        holidays={schedule.holidays}
        change={(holidays) => set({ holidays })}
        off={off}
        error={issue('holidays.calendar')}
      />
      <DatesField
        dates={schedule.blackoutDates}
        change={(blackoutDates) => set({ blackoutDates })}
        off={off}
        error={issue('blackoutDates')}
      />
    </>
  )
}

/** The schedule with the times and the zone that the user meant, also if the last field still has the focus. */
function asMeant(schedule: Schedule): Schedule {
  const windows = schedule.windows.map((one) => ({ ...one, from: clockTime(one.from), to: clockTime(one.to) }))
  return { ...schedule, windows, timezone: matchZone(schedule.timezone, knownZones()) }
}

function overlapText({ windows }: Schedule): string | null {
  const found = firstOverlap(windows)
  if (found === null) return null
  const [one = '', other = ''] = found.windows.map((at) => numberText(at + 1))
  return text.overlap(one, other, text.weekdayNames[found.day])
}
