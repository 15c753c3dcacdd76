import { findDistinctions } from '@overture/ground/text/distinct-names.ts'

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
  const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: zone })
  const things = rows.map(({ id, name, launchedAt, createdAt }) => ({
    id,
    name,
    day: `${launchedAt === null ? 'created' : 'started'} ${format.format(launchedAt ?? createdAt)}`,
  }))
  const distinctions = findDistinctions(things)
  return new Map(
    things.map(({ id, name, day }) => {
      const by = distinctions.get(id)
      return [id, { name, mark: by === 'name' ? null : by === 'day' ? day : id }]
    }),
  )
}
