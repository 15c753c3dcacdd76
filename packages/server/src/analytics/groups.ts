import { groupsMax, type GroupedAnalytics } from '@overture/contract/analytics/analytics.ts'
import type { GroupDimension } from '@overture/contract/analytics/grouped-query.ts'
import { addCounts, noCounts, computeStats, wilsonInterval, type Counts } from './measures.ts'

/** A counted group. Its place is its rank by sent messages. The last place is that of all other groups together. */
export interface GroupLine extends Counts {
  place: number
  firstKey: string | null
  secondKey: string | null
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const hours = Array.from({ length: 24 }, (_none, hour) => String(hour).padStart(2, '0'))
/** Dimensions for which every value is present, even without a count. */
const whole: Partial<Record<GroupDimension, readonly string[]>> = { weekday: weekdays, hour: hours }
const inTime: readonly GroupDimension[] = ['day', 'week', 'month']

/** Groups by time if they have one, else the largest first. */
export function buildGroups(
  lines: readonly GroupLine[],
  dimensions: readonly GroupDimension[],
): Pick<GroupedAnalytics, 'groups' | 'other' | 'totals'> {
  const counted = lines
    .filter(({ place }) => place <= groupsMax)
    .map((line) => ({ key: groupKey(line, dimensions), line }))
  const others = lines.filter(({ place }) => place > groupsMax)
  const groups = filled(counted, dimensions).toSorted((a, b) => inOrder(a.key, b.key, dimensions))
  return {
    groups: groups.map(({ key, line }) => {
      const measured = computeStats(line)
      return { key, replyInterval: wilsonInterval(measured.uniqueReplied, measured.delivered), ...measured }
    }),
    other: computeStats(others.reduce<Counts>(addCounts, noCounts)),
    totals: computeStats(lines.reduce<Counts>(addCounts, noCounts)),
  }
}

interface Group {
  key: (string | null)[]
  line: Counts
}

function groupKey({ firstKey, secondKey }: GroupLine, { length }: readonly GroupDimension[]): Group['key'] {
  return [firstKey, secondKey].slice(0, length)
}

function filled(counted: readonly Group[], dimensions: readonly GroupDimension[]): Group[] {
  const values = dimensions.map((dimension) => whole[dimension])
  const [first, second = ['']] = values
  if (first === undefined || values.includes(undefined)) return [...counted]
  const known = new Map(counted.map((group) => [group.key.join(), group]))
  return first.flatMap((one) =>
    second.map((other) => {
      const key = [one, other].slice(0, dimensions.length)
      return known.get(key.join()) ?? { key, line: noCounts }
    }),
  )
}

/** The sort is stable, so a dimension without its own order keeps the order by place. */
function inOrder(a: Group['key'], b: Group['key'], dimensions: readonly GroupDimension[]): number {
  for (const [index, dimension] of dimensions.entries()) {
    const values = whole[dimension]
    const [one, other] = [a[index] ?? '', b[index] ?? '']
    const order = values
      ? values.indexOf(one) - values.indexOf(other)
      : inTime.includes(dimension)
        ? compare(one, other)
        : 0
    if (order !== 0) return order
  }
  return 0
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
