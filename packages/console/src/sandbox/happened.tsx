import type { SandboxAdvance, SandboxDay } from '@overture/sdk'
import { NumbersTable } from '../platform/chart/index.ts'
import { dateText, numberText } from '../platform/time/format.ts'
import { text } from './sandbox.messages.ts'

const counters = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'replied',
  'interested',
  'autoReplied',
  'bounced',
  'unsubscribed',
  'meetingsBooked',
] as const satisfies readonly (keyof SandboxDay)[]

/** The events while the clock moved, day by day, as the API counted them. */
export function Happened({ advance }: { advance: SandboxAdvance }) {
  const busy = advance.byDay.filter((day) => counters.some((name) => day[name] > 0))
  const row = (name: string, counts: Readonly<Record<(typeof counters)[number], number>>) => [
    name,
    ...counters.map((one) => numberText(counts[one])),
  ]
  if (busy.length === 0) return <p>{text.nothing}</p>
  return (
    <NumbersTable
      label={text.happened}
      columns={[text.date, ...counters.map((name) => text[name])]}
      rows={[...busy.map((day) => row(dateText(day.date), day)), row(text.total, advance)]}
    />
  )
}
