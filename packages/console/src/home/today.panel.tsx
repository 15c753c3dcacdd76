import { numberText } from '../platform/time/format.ts'
import { Panel, Shown, Stats } from '../platform/ui/index.ts'
import { text } from './home.messages.ts'
import { useSummary, useToday } from './home.queries.ts'

export function Today() {
  const summary = useSummary()
  const today = useToday()
  return (
    <Panel title={text.today}>
      <Shown of={summary}>
        {({ today: { sent, capacity } }) => (
          <Stats
            items={[
              { label: text.sent, value: numberText(sent), beside: text.ofCapacity(numberText(capacity)) },
              { label: text.replied, value: numberText(today.data?.replied ?? 0) },
              { label: text.bounced, value: numberText(today.data?.bounced ?? 0) },
              { label: text.booked, value: numberText(today.data?.booked ?? 0) },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}
