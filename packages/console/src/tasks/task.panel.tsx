import type { Lead, Task, TaskOutcome } from '@overture/sdk'
import { outcomesForChannel } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { useLead } from '../leads/index.ts'
import { usePaths } from '../paths.ts'
import { AreaField, CheckField } from '../platform/form/index.ts'
import { useKeys } from '../platform/keys/keys.ts'
import { usePermissionReason } from '../platform/session/permission.ts'
import { forget, keep, kept } from '../platform/session/preferences.ts'
import { Time, useTenantTime } from '../platform/time/now.tsx'
import { Badge, Button, ErrorNote, Facts, Link, OutsideLink, Panel, Row, say, Stack } from '../platform/ui/index.ts'
import { channelText, outcomeText } from '../sequence/index.ts'
import { useTaskAct, type TaskAct } from './tasks.actions.ts'
import { text } from './tasks.messages.ts'
import { useTaskText } from './tasks.queries.ts'

const dayMs = 86_400_000

/** One task with its text, its person, and a button and a key for each answer. A note is kept in the browser until it is sent. */
export function OneTask({ task, closed }: { task: Task; closed: () => void }) {
  const noteName = `task-note ${task.id}`
  const [note, setNote] = useState(() => kept(noteName) ?? '')
  const [stop, setStop] = useState(false)
  const { now } = useTenantTime()
  const act = useTaskAct(task, note, ({ kind }) => {
    if (kind !== 'snooze') forget(noteName)
    say(kind === 'snooze' ? text.snoozed : text.closed)
    closed()
  })
  const late = task.dueAt < now
  return (
    <Panel
      title={task.title === '' ? channelText[task.channel] : task.title}
      actions={
        <>
          <Badge>{channelText[task.channel]}</Badge>
          {late && <Badge tone="warn">{text.overdue}</Badge>}
          <span>
            {text.due} <Time at={task.dueAt} />
          </span>
        </>
      }
    >
      <Stack>
        {task.instructions !== '' && <p style={{ whiteSpace: 'pre-wrap' }}>{task.instructions}</p>}
        {task.campaignId !== null && task.leadId !== null && (
          <Person campaignId={task.campaignId} leadId={task.leadId} />
        )}
        <AreaField
          label={text.note}
          optional
          rows={3}
          maxLength={4000}
          value={note}
          change={(value) => {
            setNote(value)
            keep(noteName, value)
          }}
        />
        {task.leadId !== null && task.approvalId === null && (
          <CheckField label={text.stop} hint={text.stopHint} checked={stop} change={setStop} />
        )}
        <ErrorNote error={act.error} />
        {task.approvalId === null ? (
          <Answers
            task={task}
            busy={act.isPending}
            answer={(outcome) => act.mutate({ kind: 'complete', outcome, stop })}
          />
        ) : (
          <HandText task={task} busy={act.isPending} act={act.mutate} />
        )}
        <Later
          busy={act.isPending}
          skip={() => act.mutate({ kind: 'skip' })}
          snooze={() => act.mutate({ kind: 'snooze', until: new Date(Date.parse(now) + dayMs).toISOString() })}
        />
      </Stack>
    </Panel>
  )
}

function Person({ campaignId, leadId }: { campaignId: string; leadId: string }) {
  const paths = usePaths()
  const lead = useLead(campaignId, leadId).data
  if (lead === undefined) return null
  return (
    <>
      <Facts items={leadFacts(lead)} />
      <Link to={paths.lead(campaignId, leadId)}>{text.viewLead}</Link>
    </>
  )
}

function leadFacts({ firstName, lastName, company, mobile, email, linkedinUrl }: Lead) {
  const name = [firstName, lastName].filter((part) => part !== null && part !== '').join(' ')
  return [
    { label: text.person, value: name === '' ? text.noValue : name },
    { label: text.company, value: company ?? text.noValue },
    { label: text.phone, value: mobile === null ? text.noValue : <a href={`tel:${mobile}`}>{mobile}</a> },
    { label: text.email, value: email },
    {
      label: text.profile,
      value: isWebAddress(linkedinUrl) ? (
        <OutsideLink href={linkedinUrl}>{text.openProfile}</OutsideLink>
      ) : (
        text.noValue
      ),
    },
  ]
}

/** Imported data may contain any text, and a link of another kind could run a script. */
function isWebAddress(url: string | null): url is string {
  return url !== null && /^https?:\/\//i.test(url)
}

function Answers({ task, busy, answer }: { task: Task; busy: boolean; answer: (outcome: TaskOutcome) => void }) {
  const outcomes = outcomesForChannel(task.channel)
  const mayAnswer = usePermissionReason('completeTask') === null
  useKeys(
    outcomes.map((outcome, at) => ({
      keys: String(at + 1),
      label: outcomeText[outcome],
      act: () => {
        if (!busy && mayAnswer) answer(outcome)
      },
    })),
  )
  return (
    <Row>
      {outcomes.map((outcome, at) => (
        <Button
          key={outcome}
          operation="completeTask"
          look={at === 0 ? 'primary' : undefined}
          busy={busy}
          onClick={() => answer(outcome)}
        >
          {outcomeText[outcome]} <kbd>{at + 1}</kbd>
        </Button>
      ))}
    </Row>
  )
}

function HandText({ task, busy, act }: { task: Task; busy: boolean; act: (act: TaskAct) => void }) {
  const { data: shown, error } = useTaskText(task)
  const mayApprove = usePermissionReason('approveText') === null
  const isWaiting = shown?.status === 'waiting'
  const paths = usePaths()
  const approve = (): void => {
    if (!busy && mayApprove && shown && isWaiting) act({ kind: 'approve', text: shown })
  }
  useKeys([{ keys: '1', label: text.approve, act: approve }])
  if (shown === undefined) return <ErrorNote error={error} />
  if (!isWaiting) return <p>{text.textMissing}</p>
  return (
    <>
      <strong>{shown.subject}</strong>
      <p style={{ whiteSpace: 'pre-wrap' }}>{shown.body}</p>
      <Row>
        <Button operation="approveText" look="primary" busy={busy} onClick={approve}>
          {text.approve} <kbd>1</kbd>
        </Button>
        <Link to={paths.campaign(shown.campaignId, 'texts')}>{text.editText}</Link>
      </Row>
    </>
  )
}

function Later({ busy, skip, snooze }: { busy: boolean; skip: () => void; snooze: () => void }) {
  const maySkip = usePermissionReason('skipTask') === null
  const maySnooze = usePermissionReason('snoozeTask') === null
  useKeys([
    { keys: 's', label: text.skip, act: () => void (!busy && maySkip && skip()) },
    { keys: 'h', label: text.tomorrow, act: () => void (!busy && maySnooze && snooze()) },
  ])
  return (
    <Row>
      <Button small operation="skipTask" busy={busy} onClick={skip}>
        {text.skip} <kbd>s</kbd>
      </Button>
      <Button small operation="snoozeTask" busy={busy} onClick={snooze}>
        {text.tomorrow} <kbd>h</kbd>
      </Button>
    </Row>
  )
}
