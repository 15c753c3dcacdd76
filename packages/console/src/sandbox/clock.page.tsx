import type { CreateSandboxInboundInput, SandboxAdvance } from '@overture/sdk'
import { useState } from 'react'
import { DeveloperPage } from '../api-keys/index.ts'
import { useAction } from '../platform/api/action.ts'
import { useEnvironment } from '../platform/api/environment.tsx'
import { AreaField, Form, SelectField, TextField } from '../platform/form/index.ts'
import { longTimeText } from '../platform/time/format.ts'
import { useTenantTime } from '../platform/time/now.tsx'
import { Button, Columns, Empty, ErrorNote, findIssue, Panel, Row, say } from '../platform/ui/index.ts'
import { useAdvance } from './clock.actions.ts'
import { Happened } from './happened.tsx'
import { text } from './sandbox.messages.ts'

const jumps = [
  ['1h', text.hour],
  ['1d', text.day],
  ['3d', text.threeDays],
  ['1w', text.week],
] as const

export function ClockPage() {
  const test = useEnvironment() === 'test'
  return (
    <DeveloperPage tab="clock">
      {test ? (
        <Columns>
          <MoveClock />
          <AnswerAs />
        </Columns>
      ) : (
        <Empty title={text.onlyTest}>{text.onlyTestText}</Empty>
      )}
    </DeveloperPage>
  )
}

function MoveClock() {
  const [advanced, setAdvanced] = useState<SandboxAdvance | null>(null)
  const advance = useAdvance(setAdvanced)
  const { zone } = useTenantTime()
  return (
    <Panel title={text.clockTitle}>
      <p>{text.clockLead}</p>
      <Row>
        {jumps.map(([by, label]) => (
          <Button
            key={by}
            operation="advanceSandboxClock"
            busy={advance.isPending}
            onClick={() => advance.mutate({ by })}
          >
            {label}
          </Button>
        ))}
      </Row>
      <ErrorNote error={advance.error} />
      {advanced !== null && (
        <>
          <h3>{text.happened}</h3>
          <p>{text.happenedTotal(longTimeText(advanced.from, zone), longTimeText(advanced.to, zone))}</p>
          <Happened advance={advanced} />
        </>
      )}
    </Panel>
  )
}

const kinds = ['reply', 'auto_reply', 'bounce', 'unsubscribe'] as const

function AnswerAs() {
  const [leadId, setLeadId] = useState('')
  const [kind, setKind] = useState<CreateSandboxInboundInput['kind']>('reply')
  const [words, setWords] = useState('')
  const answer = useAction({
    act: (api) => api.sandbox.inbound({ leadId, kind, ...(words !== '' && { text: words }) }),
    stale: () => [['conversations'], ['leads'], ['mail'], ['campaigns']],
    done: () => say(text.answered),
  })
  return (
    <Panel title={text.answerAs}>
      <Form
        operation="createSandboxInbound"
        submit={() => answer.mutate()}
        submitLabel={text.answer}
        busy={answer.isPending}
        error={answer.error}
      >
        <TextField label={text.lead} value={leadId} change={setLeadId} error={findIssue(answer.error, 'leadId')} />
        <SelectField
          label={text.kind}
          value={kind}
          change={(value) => setKind(value as typeof kind)}
          choices={kinds.map((value) => ({ value, label: text.kinds[value] }))}
        />
        <AreaField label={text.answerText} optional rows={3} value={words} change={setWords} />
      </Form>
    </Panel>
  )
}
