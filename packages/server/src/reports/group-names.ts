/** An object that numbers are grouped by. The times are those of the campaign that the object belongs to, or its own. */
export interface NamedRow {
  id: string
  name: string
  launchedAt: Date | null
  createdAt: Date
}

export interface GroupName {
  name: string
  /** Tells the object apart from others with the same name. Null if no other one has the name. */
  mark: string | null
}

/** Names objects by their ids. Equal names are marked with the day of the start, or with the id if that is equal too. */
export function distinctNames(rows: readonly NamedRow[], zone: string): ReadonlyMap<string, GroupName> {
  return new Map(
    rows.map((row) => {
      const same = rows.filter(({ name }) => name === row.name)
      const day = startText(row, zone)
      const isDayShared = same.filter((one) => startText(one, zone) === day).length > 1
      return [row.id, { name: row.name, mark: same.length === 1 ? null : isDayShared ? row.id : day }]
    }),
  )
}

function startText({ launchedAt, createdAt }: NamedRow, zone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: zone })
  return `${launchedAt === null ? 'created' : 'started'} ${format.format(launchedAt ?? createdAt)}`
}
