import type { Lead } from '@overture/sdk'
import { leadStatusMoves } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { Form, TextField } from '../platform/form/index.ts'
import { dayStart } from '../platform/time/days.ts'
import { localDay, timeText } from '../platform/time/format.ts'
import { useTenantTime } from '../platform/time/now.tsx'
import { Button, Dialog, ErrorNote, Grow, findIssue, Note, Row, say } from '../platform/ui/index.ts'
import { useUpdateLead } from './leads.actions.ts'
import { text } from './path.messages.ts'

/** Pauses a lead until a day, on which it is resumed automatically. */
export function PauseUntil({ lead, label = text.pauseUntil }: { lead: Lead; label?: string }) {
  const [open, setOpen] = useState(false)
  if (lead.status !== 'paused' && !leadStatusMoves[lead.status].includes('paused')) return null
  return (
    <>
      <Button operation="updateCampaignLead" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && <PauseDialog lead={lead} close={() => setOpen(false)} />}
    </>
  )
}

function PauseDialog({ lead, close }: { lead: Lead; close: () => void }) {
  const { now, zone } = useTenantTime()
  const [day, setDay] = useState(lead.resumeAt === null ? '' : localDay(lead.resumeAt, zone))
  const update = useUpdateLead({ campaignId: lead.campaignId, leadId: lead.id })
  const paused = lead.status === 'paused'
  const submit = (): void => {
    const resumeAt = dayStart(day, zone)
    const before = paused ? ({ resumeAt: lead.resumeAt } as const) : ({ status: 'active' } as const)
    update.mutate(
      { ...(!paused && { status: 'paused' as const }), resumeAt },
      {
        onSuccess: () => {
          say(text.pausedUntil(lead.email, timeText(resumeAt, zone)), () => update.mutate(before))
          close()
        },
      },
    )
  }
  return (
    <Dialog title={text.pauseTitle} open close={close} foot={null}>
      <Form
        operation="updateCampaignLead"
        submit={submit}
        submitLabel={text.pause}
        busy={update.isPending}
        error={update.error}
        reason={day === '' ? text.untilReason : null}
      >
        <TextField
          label={text.until}
          hint={text.untilHint(zone)}
          type="date"
          min={localDay(now, zone)}
          value={day}
          change={setDay}
          error={findIssue(update.error, 'resumeAt')}
        />
      </Form>
    </Dialog>
  )
}

/** For a paused lead, when it is resumed. */
export function PausedNote({ lead }: { lead: Lead }) {
  const { zone } = useTenantTime()
  const update = useUpdateLead({ campaignId: lead.campaignId, leadId: lead.id })
  if (lead.status !== 'paused') return null
  const { resumeAt } = lead
  return (
    <Note tone="warn">
      <Row>
        <Grow>{resumeAt === null ? text.notByItself : text.goesOn(timeText(resumeAt, zone))}</Grow>
        <PauseUntil lead={lead} label={resumeAt === null ? text.setDay : text.changeDay} />
        {resumeAt !== null && (
          <Button
            operation="updateCampaignLead"
            busy={update.isPending}
            onClick={() => update.mutate({ resumeAt: null })}
          >
            {text.noDay}
          </Button>
        )}
      </Row>
      <ErrorNote error={update.error} />
    </Note>
  )
}
