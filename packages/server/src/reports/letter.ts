import type { GroupedAnalytics, Stats } from '@overture/contract/analytics/analytics.ts'
import type { GroupDimension } from '@overture/contract/analytics/grouped-query.ts'
import { foreignText } from '@overture/ground/text/foreign-text.ts'
import { escapeHtml } from '@overture/ground/text/text-html.ts'
import type { GroupName } from './group-names.ts'

/** Longer tables are cut, because a mail is read at a glance. */
const rowsMax = 60
const labelLengthMax = 60
const barLengthMax = 30

export interface ReportFacts {
  name: string
  range: { from: string; to: string }
  analytics: Pick<GroupedAnalytics, 'groupBy' | 'timezone' | 'groups' | 'totals'>
  /** The names of ids, by dimension. */
  names: ReadonlyMap<GroupDimension, ReadonlyMap<string, GroupName>>
  /** The page of the report in the console. */
  url: string
}

export interface ReportLetter {
  subject: string
  text: string
  html: string
}

interface Column {
  title: string
  show: (stats: Stats) => string
}

const columns: readonly Column[] = [
  { title: 'Sent', show: ({ sent }) => whole(sent) },
  { title: 'Delivered', show: ({ delivered }) => whole(delivered) },
  { title: 'Replied', show: ({ uniqueReplied }) => whole(uniqueReplied) },
  { title: 'Reply rate', show: ({ rates }) => percent(rates.reply) },
  { title: 'Interested', show: ({ interested }) => whole(interested) },
  { title: 'Meetings', show: ({ meetingsBooked }) => whole(meetingsBooked) },
  { title: 'Bounced', show: ({ bounced }) => whole(bounced) },
  { title: 'Opted out', show: ({ unsubscribed }) => whole(unsubscribed) },
]

interface Row {
  label: string
  cells: string[]
  sent: number
}

interface Sheet {
  title: string
  days: string
  rows: readonly Row[]
  totals: readonly string[]
  /** Null if no row was left out. */
  rest: string | null
  largest: number
  url: string
}

/** The mail of a report: the same table and chart as text and as HTML, without anything to load. */
export function writeReport(facts: ReportFacts): ReportLetter {
  const sheet = buildSheet(facts)
  return {
    subject: `${sheet.title}: ${rangeText(facts.range)}`,
    text: writeText(sheet),
    html: writeHtml(sheet),
  }
}

function buildSheet({ name, range, analytics, names, url }: ReportFacts): Sheet {
  const { groupBy, groups, timezone, totals } = analytics
  const shown = isInTime(groupBy[0]) ? groups.slice(-rowsMax) : groups.slice(0, rowsMax)
  const left = groups.length - shown.length
  return {
    title: oneLine(name, labelLengthMax * 2),
    days: `${rangeText(range)}, ${timezone}, by ${groupBy.join(' and ')}`,
    rows: shown.map(({ key, ...stats }) => ({
      label: key.map((part, at) => keyLabel(groupBy[at]!, part, names)).join(' · '),
      cells: columns.map(({ show }) => show(stats)),
      sent: stats.sent,
    })),
    totals: columns.map(({ show }) => show(totals)),
    rest: left === 0 ? null : `${left} more ${left === 1 ? 'row is' : 'rows are'} left out. The total contains them.`,
    largest: Math.max(1, ...shown.map(({ sent }) => sent)),
    url,
  }
}

const weekdays: Record<string, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

function isInTime(dimension: GroupDimension | undefined): boolean {
  return dimension === 'day' || dimension === 'week' || dimension === 'month'
}

function keyLabel(dimension: GroupDimension, key: string | null, names: ReportFacts['names']): string {
  if (key === null) return `No ${dimension}`
  switch (dimension) {
    case 'day':
      return dayText(key, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
    case 'week':
      return `Week of ${dayText(key)}`
    case 'month':
      return dayText(key, { month: 'long', year: 'numeric' })
    case 'weekday':
      return weekdays[key] ?? key
    case 'hour':
      return `${key}:00`
    case 'campaign':
    case 'sender':
    case 'step':
    case 'variant': {
      const found = names.get(dimension)?.get(key)
      if (found === undefined) return `Removed ${dimension} ${key}`
      const name = oneLine(found.name, labelLengthMax)
      return found.mark === null ? name : `${name} (${found.mark})`
    }
  }
}

const hidden = /[\p{C}\p{Zl}\p{Zp}]/gu

/** A name can't begin another line, hide a part of itself or change the direction of the text around it. */
function oneLine(text: string, lengthMax: number): string {
  return foreignText(text.replaceAll(/\s+/g, ' ').replaceAll(hidden, ''), lengthMax)
}

const plainDay = { day: 'numeric', month: 'short', year: 'numeric' } as const

function dayText(day: string, format: Intl.DateTimeFormatOptions = plainDay): string {
  return new Intl.DateTimeFormat('en-GB', { ...format, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00.000Z`))
}

/** Dates as people write them. Times are shown as they were sent. */
function rangeText({ from, to }: ReportFacts['range']): string {
  const [first, last] = [from, to].map((bound) => (bound.length === 10 ? dayText(bound) : bound))
  return first === last ? String(first) : `${first} to ${last}`
}

const counts = new Intl.NumberFormat('en-US')
const whole = (count: number): string => counts.format(count)
const percent = (rate: number): string => `${(rate * 100).toFixed(1)} %`

const reason = 'You are a recipient of this report. On its page, your team can change its recipients or pause it.'
const noRows = 'No messages were sent and nothing happened in this time.'

function writeText({ title, days, rows, totals, rest, largest, url }: Sheet): string {
  const lines = [['', ...columns.map((column) => column.title)], ...rows.map(({ label, cells }) => [label, ...cells])]
  const table = rows.length === 0 ? [noRows] : aligned([...lines, ['Total', ...totals]])
  const bars = rows.map(({ label, sent }) => [label, '#'.repeat(barLength(sent, largest)), whole(sent)])
  return `${[
    title,
    days,
    '',
    ...table,
    ...(rest === null ? [] : [rest]),
    '',
    ...(rows.length === 0 ? [] : ['Messages sent', ...charted(bars), '']),
    `Open the report: ${url}`,
    reason,
  ].join('\n')}\n`
}

/** The first column is aligned left and the others right. */
function aligned(lines: readonly (readonly string[])[]): string[] {
  const widths = lines[0]!.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)))
  return lines.map((line) =>
    line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  '),
  )
}

function charted(bars: readonly string[][]): string[] {
  const width = Math.max(...bars.map(([label = '']) => label.length))
  return bars.map(
    ([label = '', bar = '', count = '']) => `${label.padEnd(width)}  ${bar}${bar === '' ? '' : ' '}${count}`,
  )
}

/** At least one sign for a count that is not 0. */
function barLength(count: number, largest: number): number {
  return count === 0 ? 0 : Math.max(1, Math.round((count / largest) * barLengthMax))
}

const page = 'margin:0;padding:16px;background:#ffffff;color:#1b1f24;font-family:Arial,Helvetica,sans-serif'
const soft = 'color:#57606a'
/** Long names break, so they never make the mail wider than the window. */
const breaks = 'word-break:break-word;overflow-wrap:anywhere'
/** As wide as the window, up to the usual width of a mail. */
const table = 'cellspacing="0" cellpadding="0" width="100%"'
const tableStyle = 'width:100%;max-width:600px;table-layout:fixed;border-collapse:collapse'

function writeHtml({ title, days, rows, totals, rest, largest, url }: Sheet): string {
  const body = [
    `<h1 style="font-size:20px;margin:0 0 4px;${breaks}">${escapeHtml(title)}</h1>`,
    `<p style="margin:0 0 16px;${soft};font-size:14px">${escapeHtml(days)}</p>`,
    ...(rows.length === 0 ? [`<p>${noRows}</p>`] : [tableHtml(rows, totals)]),
    ...(rest === null ? [] : [`<p style="font-size:14px">${rest}</p>`]),
    ...(rows.length === 0 ? [] : [chartHtml(rows, largest)]),
    `<p style="font-size:14px"><a href="${escapeHtml(url)}">Open the report</a></p>`,
    `<p style="font-size:12px;${soft}">${reason}</p>`,
  ]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body style="${page}">
${body.join('\n')}
</body></html>
`
}

/** Eight numbers side by side are wider than a phone, so each row of the report has lines of four under its name. */
const perLine = 4

function tableHtml(rows: readonly Row[], totals: readonly string[]): string {
  const groups = rows.map(({ label, cells }) => groupHtml(label, cells))
  return `<table ${table} style="${tableStyle};margin:0">
${groups.join('\n')}
${groupHtml('Total', totals)}
</table>`
}

function groupHtml(label: string, cells: readonly string[]): string {
  const name = `padding:10px 0 4px;border-top:1px solid #d8dce2;text-align:left;font-size:14px;${breaks}`
  const lines = Array.from({ length: Math.ceil(cells.length / perLine) }, (_, line) =>
    cells.slice(line * perLine, (line + 1) * perLine).map((text, at) => numberHtml(line * perLine + at, text)),
  )
  return [
    `<tr><th scope="rowgroup" colspan="${perLine}" style="${name}">${escapeHtml(label)}</th></tr>`,
    ...lines.map((line) => `<tr>${line.join('')}</tr>`),
  ].join('\n')
}

function numberHtml(at: number, text: string): string {
  const title = `<span style="${soft};font-size:12px">${columns[at]!.title}</span>`
  return `<td width="25%" valign="top" style="padding:0 8px 8px 0;font-size:14px">${title}<br>${text}</td>`
}

/** The largest bar takes this share of the width. The rest is for its number. */
const barShareMax = 80

/** Bars of table cells, which every mail program draws. */
function chartHtml(rows: readonly Row[], largest: number): string {
  const bar = (sent: number) => {
    const width = Math.round((barLength(sent, largest) / barLengthMax) * barShareMax)
    const filled = `<td width="${width}%" height="14" style="width:${width}%;height:14px;background:#2f6fde"></td>`
    return `<table ${table} role="presentation" style="${tableStyle}"><tr>${
      width === 0 ? '' : filled
    }<td style="${width === 0 ? '' : 'padding-left:8px;'}font-size:14px">${whole(sent)}</td></tr></table>`
  }
  const name = `padding:6px 0 2px;text-align:left;font-weight:normal;font-size:14px;${breaks}`
  const line = ({ label, sent }: Row) =>
    `<tr><th scope="row" style="${name}">${escapeHtml(label)}</th></tr>\n<tr><td>${bar(sent)}</td></tr>`
  return `<h2 style="font-size:16px;margin:20px 0 8px">Messages sent</h2>
<table ${table} style="${tableStyle}">
${rows.map(line).join('\n')}
</table>`
}
