import type { AnalyticsGroup, AnalyticsPeriod, Stats } from '@overture/sdk'
import { Figure, Funnel, HeatMap, Lines } from '../platform/chart/index.ts'
import { dateText, numberText, percentText, shortDateText } from '../platform/time/format.ts'
import { text } from './analytics.messages.ts'
import { busiestHour, heatRows, weekdayNames, type BusiestHour } from './hours.ts'

/** `withLeads` is false if the leads are not those of the messages: a tag of a sending account selects messages, but no leads. */
export function FunnelFigure({ stats, withLeads = true }: { stats: Stats; withLeads?: boolean }) {
  const { leads, contacted, delivered, uniqueReplied, interested, meetingsBooked } = stats
  const share = (value: number, whole: number) => (whole === 0 ? '' : percentText(value / whole))
  const stages = [
    ...(withLeads ? [{ name: text.leads, value: leads, share: '' }] : []),
    { name: text.contacted, value: contacted, share: withLeads ? share(contacted, leads) : '' },
    { name: text.replied, value: uniqueReplied, share: share(uniqueReplied, contacted) },
    { name: text.interested, value: interested, share: share(interested, contacted) },
    { name: text.meetings, value: meetingsBooked, share: share(meetingsBooked, contacted) },
  ]
  const [replied, meetings] = [numberText(uniqueReplied), numberText(meetingsBooked)]
  return (
    <Figure
      label={withLeads ? text.funnel : text.contactedTitle}
      sentence={
        withLeads
          ? `${text.funnelSentence(numberText(leads), replied, meetings)} ${text.shareNote}`
          : text.contactedSentence(numberText(contacted), replied, meetings)
      }
      table={{
        columns: [text.stage, text.count, text.share],
        rows: [
          ...stages.map((stage) => [stage.name, numberText(stage.value), stage.share]),
          [text.delivered, numberText(delivered), ''],
        ],
      }}
    >
      <Funnel
        label={withLeads ? text.funnel : text.contactedTitle}
        steps={stages.map((stage) => ({
          name: stage.name,
          value: stage.value,
          text: [numberText(stage.value), stage.share].filter(Boolean).join(' · '),
        }))}
      />
    </Figure>
  )
}

interface Point {
  date: string
  sent: number
  uniqueReplied: number
  bounced: number
}

export function OverTimeFigure({ series }: { series: readonly (Point | AnalyticsPeriod)[] }) {
  const sum = (name: 'sent' | 'uniqueReplied') => numberText(series.reduce((all, one) => all + one[name], 0))
  return (
    <Figure
      label={text.overTime}
      sentence={text.overTimeSentence(sum('sent'), sum('uniqueReplied'))}
      table={{
        columns: [text.date, text.sent, text.replied, text.bounced],
        rows: series.map(({ date, sent, uniqueReplied, bounced }) => [
          dateText(date),
          numberText(sent),
          numberText(uniqueReplied),
          numberText(bounced),
        ]),
      }}
    >
      <Lines
        labels={series.map(({ date }) => shortDateText(date))}
        series={[
          { name: text.sent, values: series.map(({ sent }) => sent) },
          { name: text.replied, values: series.map(({ uniqueReplied }) => uniqueReplied) },
          { name: text.bounced, values: series.map(({ bounced }) => bounced) },
        ]}
      />
    </Figure>
  )
}

const hours = Array.from({ length: 24 }, (_none, hour) => String(hour).padStart(2, '0'))

function hoursSentence(busiest: BusiestHour): string {
  switch (busiest.kind) {
    case 'none':
      return text.hoursNone
    case 'few':
      return text.hoursFew(numberText(busiest.replies), numberText(busiest.least))
    case 'tie':
      return text.hoursTie
    case 'hour':
      return text.hoursSentence(
        text.weekdays[busiest.weekday],
        `${hours[busiest.hour]}:00`,
        numberText(busiest.replies),
      )
  }
}

/** A heat map of every hour of the week, by the number of replies that came in it. */
export function HoursFigure({ groups, zone }: { groups: readonly AnalyticsGroup[]; zone: string }) {
  const rows = heatRows(groups)
  const name = (weekday: (typeof weekdayNames)[number]) => text.weekdays[weekday]
  return (
    <Figure
      label={text.hours}
      sentence={`${hoursSentence(busiestHour(rows))} ${text.hoursZone(zone)}`}
      table={{
        columns: [text.weekday, ...hours],
        rows: rows.map(({ weekday, values }) => [name(weekday), ...values.map(numberText)]),
        rowHeaders: true,
      }}
    >
      <HeatMap columns={hours} rows={rows.map(({ weekday, values }) => ({ name: name(weekday), values }))} />
    </Figure>
  )
}
