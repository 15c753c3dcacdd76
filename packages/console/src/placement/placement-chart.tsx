import type { DeliverabilityDomainDetail } from '@overture/sdk'
import { Figure, Lines } from '../platform/chart/index.ts'
import { dateText, numberText, shortDateText } from '../platform/time/format.ts'
import { Empty, Panel } from '../platform/ui/index.ts'
import { text } from './placement.messages.ts'

const shown = ['inbox', 'tab', 'spam', 'missing'] as const

/** The folders in which the test messages of a domain arrived, by day. */
export function PlacementChart({
  detail: { placement, placementDays: days },
}: {
  detail: Pick<DeliverabilityDomainDetail, 'placement' | 'placementDays'>
}) {
  if (placement === null)
    return (
      <Panel title={text.chart}>
        <Empty title={text.noResults}>{text.noneText}</Empty>
      </Panel>
    )
  const total = shown.reduce((sum, name) => sum + placement[name], 0)
  return (
    <Panel title={text.chart}>
      <Figure
        label={text.chart}
        sentence={text.sentence(numberText(placement.inbox), numberText(total), numberText(placement.spam))}
        table={{
          columns: [text.date, ...shown.map((name) => text.placements[name])],
          rows: days.map((day) => [dateText(day.date), ...shown.map((name) => numberText(day[name]))]),
        }}
      >
        <Lines
          labels={days.map(({ date }) => shortDateText(date))}
          series={shown.map((name) => ({ name: text.placements[name], values: days.map((day) => day[name]) }))}
        />
      </Figure>
    </Panel>
  )
}
