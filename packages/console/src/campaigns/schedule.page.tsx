import type { Campaign } from '@overture/sdk'
import { structureEditableIn } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { usePaths } from '../paths.ts'
import { AreaField, CheckField, Form, Pair, TextField } from '../platform/form/index.ts'
import { numberText } from '../platform/time/format.ts'
import { issueOf, Lines, LinkButton, Panel, Row, say } from '../platform/ui/index.ts'
import { SenderStatusBadge, useSenders } from '../sending-accounts/index.ts'
import { CampaignPage } from './campaign-frame.panel.tsx'
import { useUpdateCampaign } from './campaigns.actions.ts'
import { HolidaysField } from './holidays.panel.tsx'
import { text } from './schedule.messages.ts'
import { Windows } from './schedule-windows.tsx'

export function SchedulePage() {
  return (
    <CampaignPage tab="schedule">{(campaign) => <ScheduleForm key={campaign.id} campaign={campaign} />}</CampaignPage>
  )
}

function ScheduleForm({ campaign }: { campaign: Campaign }) {
  const [schedule, setSchedule] = useState(campaign.schedule)
  const [senders, setSenders] = useState<readonly string[]>(campaign.sendingAccountIds)
  const [blackout, setBlackout] = useState(campaign.schedule.blackoutDates.join('\n'))
  const update = useUpdateCampaign(campaign.id)
  const reason = structureEditableIn.includes(campaign.status) ? null : text.fixed
  const off = reason !== null
  const set = (changes: Partial<typeof schedule>): void => setSchedule({ ...schedule, ...changes })
  const submit = (): void =>
    update.mutate(
      {
        sendingAccountIds: [...senders],
        schedule: { ...schedule, blackoutDates: blackout.split(/\s+/).filter((line) => line !== '') },
      },
      { onSuccess: () => say(text.saved) },
    )
  return (
    <Form guarded submit={submit} submitLabel={text.save} busy={update.isPending} error={update.error} reason={reason}>
      <Panel title={text.senders}>
        <SenderChoice value={senders} change={setSenders} off={off} />
      </Panel>
      <Panel title={text.window}>
        <Pair>
          <TextField
            label={text.timezone}
            hint={text.timezoneHint}
            disabled={off}
            value={schedule.timezone}
            change={(timezone) => set({ timezone })}
            error={issueOf(update.error, 'schedule.timezone')}
          />
          <CheckField
            label={text.useLeadTimezone}
            disabled={off}
            checked={schedule.useLeadTimezone}
            change={(useLeadTimezone) => set({ useLeadTimezone })}
          />
        </Pair>
        <Windows windows={schedule.windows} change={(windows) => set({ windows })} off={off} />
        <Pair>
          <TextField
            label={text.startDate}
            type="date"
            optional
            disabled={off}
            value={schedule.startDate ?? ''}
            change={(value) => set({ startDate: value || null })}
          />
          <TextField
            label={text.endDate}
            type="date"
            optional
            disabled={off}
            value={schedule.endDate ?? ''}
            change={(value) => set({ endDate: value || null })}
          />
        </Pair>
        <HolidaysField
          holidays={schedule.holidays}
          change={(holidays) => set({ holidays })}
          off={off}
          error={issueOf(update.error, 'schedule.holidays.calendar')}
        />
        <AreaField
          label={text.blackout}
          hint={text.blackoutHint}
          optional
          rows={3}
          disabled={off}
          value={blackout}
          change={setBlackout}
        />
      </Panel>
    </Form>
  )
}

function SenderChoice({
  value,
  change,
  off,
}: {
  value: readonly string[]
  change: (ids: string[]) => void
  off: boolean
}) {
  const paths = usePaths()
  const senders = useSenders().data?.results ?? []
  if (senders.length === 0)
    return (
      <Row>
        <p>{text.sendersNone}</p>
        <LinkButton to={paths.connectSender}>{text.connect}</LinkButton>
      </Row>
    )
  return (
    <Lines label={text.senders}>
      {senders.map(({ id, email, dailyLimit, status }) => (
        <li key={id}>
          <CheckField
            label={email}
            hint={text.perDay(numberText(dailyLimit))}
            disabled={off}
            checked={value.includes(id)}
            change={(checked) => change(checked ? [...value, id] : value.filter((one) => one !== id))}
          />
          <SenderStatusBadge status={status} />
        </li>
      ))}
    </Lines>
  )
}
