import type { Deliverability, SendingAccount } from '@overture/sdk'
import { useState } from 'react'
import { CheckField, Form, NumberField, Pair, SelectField } from '../../platform/form/index.ts'
import { numberText, percentText } from '../../platform/time/format.ts'
import { Time } from '../../platform/time/now.tsx'
import { findIssue, Lines, Note, Panel, say } from '../../platform/ui/index.ts'
import { DeliverabilityBadge } from '../badges.tsx'
import { useUpdateSender } from '../senders.actions.ts'
import { signalText, text } from './pace.messages.ts'

const modes = ['off', 'fixed', 'adaptive'] as const
type Mode = (typeof modes)[number]

/** The state of deliverability with its reasons, and how fast the account may grow. */
export function Pace({ sender }: { sender: SendingAccount }) {
  return (
    <Panel title={text.title} actions={<DeliverabilityBadge state={sender.deliverability.state} />}>
      <State sender={sender} />
      <PaceForm sender={sender} />
    </Panel>
  )
}

function State({ sender: { sentToday, deliverability } }: { sender: SendingAccount }) {
  const { state, since, allowanceToday, reasons, reviewAt } = deliverability
  return (
    <>
      <p>{text.allowance(numberText(sentToday), numberText(allowanceToday))}</p>
      {state !== 'healthy' && (
        <Note tone={state === 'held' ? 'bad' : 'warn'}>
          <Lines label={text.reasons}>
            {reasons.map((reason) => (
              <li key={reason.signal}>{reasonText(reason)}</li>
            ))}
          </Lines>
          <p>
            {text.since}: <Time at={since} short />
          </p>
          {reviewAt !== null && (
            <p>
              {text.review}: <Time at={reviewAt} short />
            </p>
          )}
        </Note>
      )}
    </>
  )
}

/** A signal with its number and its limit. */
export function reasonText({ signal, value, threshold }: Deliverability['reasons'][number]): string {
  const words = signal === 'authentication' ? numberText : percentText
  return text.reason(words(value), signalText[signal], words(threshold))
}

function PaceForm({ sender }: { sender: SendingAccount }) {
  const { rampUp, requireAuthentication } = sender
  const [fields, setFields] = useState({
    mode: rampMode(rampUp),
    startPerDay: rampUp?.startPerDay ?? 10,
    incrementPerDay: rampUp?.incrementPerDay ?? 5,
    ceiling: rampUp?.ceiling ?? null,
    requireAuthentication,
  })
  const update = useUpdateSender(sender.id, () => say(text.saved))
  const set = (changes: Partial<typeof fields>): void => setFields((before) => ({ ...before, ...changes }))
  const { mode, requireAuthentication: required, ...ramp } = fields
  const submit = (): void =>
    update.mutate({
      rampUp: mode === 'off' ? null : { ...ramp, enabled: true, mode },
      requireAuthentication: required,
    })
  return (
    <Form
      operation="updateSendingAccount"
      guarded
      submit={submit}
      submitLabel={text.save}
      busy={update.isPending}
      error={update.error}
    >
      <SelectField
        label={text.mode}
        value={mode}
        change={(value) => set({ mode: value as Mode })}
        choices={modes.map((value) => ({ value, label: text.modes[value] }))}
      />
      {mode !== 'off' && (
        <Pair>
          <NumberField
            label={text.startPerDay}
            value={fields.startPerDay}
            change={(value) => set({ startPerDay: value ?? 0 })}
            error={findIssue(update.error, 'rampUp.startPerDay')}
          />
          <NumberField
            label={text.incrementPerDay}
            value={fields.incrementPerDay}
            change={(value) => set({ incrementPerDay: value ?? 0 })}
            error={findIssue(update.error, 'rampUp.incrementPerDay')}
          />
        </Pair>
      )}
      {mode === 'adaptive' && (
        <NumberField
          label={text.ceiling}
          hint={text.ceilingHint}
          value={fields.ceiling}
          change={(value) => set({ ceiling: value })}
          error={findIssue(update.error, 'rampUp.ceiling')}
        />
      )}
      <CheckField
        label={text.requireAuthentication}
        checked={required}
        change={(value) => set({ requireAuthentication: value })}
      />
    </Form>
  )
}

function rampMode(rampUp: SendingAccount['rampUp']): Mode {
  return rampUp === null || !rampUp.enabled ? 'off' : (rampUp.mode ?? 'fixed')
}
