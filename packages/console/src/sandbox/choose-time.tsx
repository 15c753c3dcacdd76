import { useState } from 'react'
import { Form, TextField } from '../platform/form/index.ts'
import { Dialog } from '../platform/ui/index.ts'
import { text } from './sandbox.messages.ts'

export interface ChooseTimeProps {
  now: string
  busy: boolean
  error: unknown
  go: (to: string) => void
  close: () => void
}

/** Asks for the time to which the clock is to be moved. */
export function ChooseTime({ now, busy, error, go, close }: ChooseTimeProps) {
  const [target, setTarget] = useState('')
  return (
    <Dialog title={text.toTitle} open close={close} foot={null}>
      <Form
        operation="advanceSandboxClock"
        submit={() => go(`${target}:00Z`)}
        submitLabel={text.go}
        busy={busy}
        error={error}
        reason={target === '' ? text.toReason : null}
      >
        <TextField
          label={text.toLabel}
          hint={text.utc}
          type="datetime-local"
          value={target}
          change={setTarget}
          min={now.slice(0, 16)}
        />
      </Form>
    </Dialog>
  )
}
