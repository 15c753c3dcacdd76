import { OverTimeFigure, useLastDays } from '../analytics/index.ts'
import { Panel, Shown } from '../platform/ui/index.ts'
import { text } from './home.messages.ts'

/** Counts of mails, replies and bounces on each of the last thirty days. Shows nothing before the first mail. */
export function LastDays() {
  const days = useLastDays()
  if (days.data?.every(({ sent, uniqueReplied, bounced }) => sent + uniqueReplied + bounced === 0)) return null
  return (
    <Panel title={text.lastDays}>
      <Shown of={days}>{(series) => <OverTimeFigure series={series} />}</Shown>
    </Panel>
  )
}
