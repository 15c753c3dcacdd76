import { X } from 'lucide-react'
import { useState } from 'react'
import { TextField } from '../../platform/form/index.ts'
import { dateText } from '../../platform/time/format.ts'
import { Button, Lines, Row } from '../../platform/ui/index.ts'
import { text } from './schedule.messages.ts'

interface DatesFieldProps {
  dates: readonly string[]
  change: (dates: string[]) => void
  off: boolean
  error: string | undefined
}

const iconSize = 14

/** Days without sending, chosen in a calendar. */
export function DatesField({ dates, change, off, error }: DatesFieldProps) {
  const [picked, setPicked] = useState('')
  const add = (): void => {
    change([...new Set([...dates, picked])].toSorted())
    setPicked('')
  }
  return (
    <>
      <Row>
        <TextField
          label={text.blackout}
          hint={text.blackoutHint}
          type="date"
          optional
          disabled={off}
          value={picked}
          change={setPicked}
          error={error}
        />
        {!off && (
          <Button small disabledReason={picked === '' ? text.pickDate : null} quietReason onClick={add}>
            {text.addDate}
          </Button>
        )}
      </Row>
      {dates.length > 0 && (
        <Lines label={text.blackout}>
          {dates.map((date) => (
            <li key={date}>
              {dateText(date)}
              {!off && (
                <Button
                  small
                  look="quiet"
                  icon
                  aria-label={text.removeDate(dateText(date))}
                  onClick={() => change(dates.filter((one) => one !== date))}
                >
                  <X size={iconSize} aria-hidden />
                </Button>
              )}
            </li>
          ))}
        </Lines>
      )}
    </>
  )
}
