import { Filters, SelectField, TextField, useSearchParams } from '../platform/form/index.ts'
import { text } from './analytics.messages.ts'
import type { AnalyticsRange } from './analytics.queries.ts'

const intervals = ['day', 'week', 'month'] as const
export type Interval = (typeof intervals)[number]

export function useRange(): AnalyticsRange & { interval: Interval } {
  const [{ from, to, interval }] = useSearchParams()
  return {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    interval: intervals.find((one) => one === interval) ?? 'day',
  }
}

export function RangeFilter({ withInterval = false }: { withInterval?: boolean }) {
  const [{ from, to, interval }, change] = useSearchParams()
  return (
    <Filters label={text.filters}>
      <TextField label={text.from} type="date" value={from ?? ''} change={(value) => change({ from: value })} />
      <TextField label={text.to} type="date" value={to ?? ''} change={(value) => change({ to: value })} />
      {withInterval && (
        <SelectField
          label={text.interval}
          value={interval ?? 'day'}
          change={(value) => change({ interval: value })}
          choices={intervals.map((value) => ({ value, label: text.intervals[value] }))}
        />
      )}
    </Filters>
  )
}
