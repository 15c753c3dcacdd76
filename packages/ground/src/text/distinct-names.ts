/** The property that tells a thing apart from others: its name, its name with a day, or its id. */
export type Distinction = 'name' | 'day' | 'id'

/** Finds by id what tells things apart that may have the same name, or the same name and day. */
export function findDistinctions(
  things: readonly { id: string; name: string; day: string }[],
): ReadonlyMap<string, Distinction> {
  const named = new Map<string, number>()
  const dated = new Map<string, number>()
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  const withDay = ({ name, day }: { name: string; day: string }) => JSON.stringify([name, day])
  for (const thing of things) {
    count(named, thing.name)
    count(dated, withDay(thing))
  }
  return new Map(
    things.map((thing) => {
      if (named.get(thing.name) === 1) return [thing.id, 'name']
      return [thing.id, dated.get(withDay(thing)) === 1 ? 'day' : 'id']
    }),
  )
}
