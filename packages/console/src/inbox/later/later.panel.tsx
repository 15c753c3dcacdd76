import type { RestrictedOperation } from '@overture/contract/team/operation-roles.ts'
import { useState, type ReactNode } from 'react'
import { Form, TextField } from '../../platform/form/index.ts'
import { typedMoment } from '../../platform/time/days.ts'
import { timeText } from '../../platform/time/format.ts'
import { useTenantTime } from '../../platform/time/now.tsx'
import { Dialog, Menu, type MenuProps } from '../../platform/ui/index.ts'
import { text } from './later.messages.ts'
import { laterChoices } from './later.ts'

export interface LaterMenuProps {
  /** The operation that a choice leads to. A user whose role can't do it sees who can. */
  operation: RestrictedOperation
  label: string
  /** The title of the question for a date, and the name of its button. */
  title: string
  submitLabel: string
  choose: (at: string) => void
  /** Further items at the end of the menu. */
  more?: MenuProps['items']
  /** For a key that opens the menu. */
  id?: string
  children: ReactNode
}

/** A menu of times: later today, tomorrow, next week, or a date that the user types. */
export function LaterMenu({ operation, label, title, submitLabel, choose, more = [], id, children }: LaterMenuProps) {
  const { now, zone } = useTenantTime()
  const [asking, setAsking] = useState(false)
  const items = laterChoices(now, zone).map(({ name, at }) => ({
    label: text.choice(text.choices[name], timeText(at, zone)),
    act: () => choose(at),
  }))
  return (
    <span id={id}>
      <Menu
        small
        operation={operation}
        label={label}
        items={[...items, { label: text.date, act: () => setAsking(true) }, ...more]}
      >
        {children}
      </Menu>
      {asking && (
        <ChooseMoment
          operation={operation}
          title={title}
          submitLabel={submitLabel}
          choose={choose}
          close={() => setAsking(false)}
        />
      )}
    </span>
  )
}

interface ChooseMomentProps extends Pick<LaterMenuProps, 'operation' | 'title' | 'submitLabel' | 'choose'> {
  close: () => void
}

function ChooseMoment({ operation, title, submitLabel, choose, close }: ChooseMomentProps) {
  const { now, zone } = useTenantTime()
  const [typed, setTyped] = useState('')
  const at = typedMoment(typed, zone)
  const reason = at === null ? text.dateReason : at <= now ? text.pastReason : null
  return (
    <Dialog title={title} open close={close} foot={null}>
      <Form
        operation={operation}
        submit={() => {
          if (at !== null) choose(at)
          close()
        }}
        submitLabel={submitLabel}
        reason={reason}
      >
        <TextField
          label={text.moment}
          hint={text.momentHint(zone)}
          type="datetime-local"
          value={typed}
          change={setTyped}
        />
      </Form>
    </Dialog>
  )
}
