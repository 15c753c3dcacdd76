import type { ScheduleWindow, Weekday } from '@overture/sdk'
import { CheckGroup, Pair, TextField } from '../../platform/form/index.ts'
import { numberText } from '../../platform/time/format.ts'
import { Button, Panel, Row } from '../../platform/ui/index.ts'
import { clockTime } from './clock-time.ts'
import { text } from './schedule.messages.ts'

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const dayChoices = weekdays.map((value) => ({ value, label: text.weekdays[value] }))
const workdays: Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri']

/** The windows of a schedule: days, and from when to when. */
export function Windows({
  windows,
  change,
  off,
  issue,
}: {
  windows: readonly ScheduleWindow[]
  change: (windows: ScheduleWindow[]) => void
  off: boolean
  /** The error of a field, by its path below the schedule. */
  issue?: (path: string) => string | undefined
}) {
  const set = (index: number, changes: Partial<ScheduleWindow>): void =>
    change(windows.map((one, at) => (at === index ? { ...one, ...changes } : one)))
  return (
    <>
      {windows.map((window, index) => (
        <Panel key={index} label={text.windowNumber(numberText(index + 1))}>
          <CheckGroup
            label={text.days}
            choices={dayChoices}
            disabled={off}
            value={window.days}
            change={(days) => set(index, { days: days as Weekday[] })}
          />
          <Pair>
            <TextField
              label={text.from}
              placeholder="09:00"
              disabled={off}
              value={window.from}
              change={(from) => set(index, { from })}
              onBlur={() => set(index, { from: clockTime(window.from) })}
              error={issue?.(`windows[${index}].from`)}
            />
            <TextField
              label={text.to}
              placeholder="17:00"
              disabled={off}
              value={window.to}
              change={(to) => set(index, { to })}
              onBlur={() => set(index, { to: clockTime(window.to) })}
              error={issue?.(`windows[${index}].to`)}
            />
          </Pair>
          {windows.length > 1 && !off && (
            <Row>
              <Button small look="quiet" onClick={() => change(windows.filter((_one, at) => at !== index))}>
                {text.removeWindow}
              </Button>
            </Row>
          )}
        </Panel>
      ))}
      {!off && (
        <Row>
          <Button small onClick={() => change([...windows, { days: workdays, from: '09:00', to: '17:00' }])}>
            {text.addWindow}
          </Button>
        </Row>
      )}
    </>
  )
}
