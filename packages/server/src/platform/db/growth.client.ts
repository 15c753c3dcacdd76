import type { Logger } from '../log.shell.ts'
import type { Connection } from './connections/connections.client.ts'

/** The smallest number of rows that counts as a bulk load. `rowsMin`: a smaller table is fast with any plan. */
const bulkRowsMin = 100
const rowsMin = 1_000
const textsMax = 1_000

/** Runs `analyze` for tables, or parts of tables, that have grown to a multiple of the size in PostgreSQL's statistics. */
interface Growth {
  /** Called after the commit, for statements that wrote many rows. */
  note(written: WrittenStatement): void
  /** Resolves when no analysis is running any more. */
  settle(): Promise<void>
}

export interface WrittenStatement {
  text: string
  /** The first values; they identify the account and the part of the rows. */
  values?: readonly unknown[] | undefined
  rows: number
}

export function isBulk({ text, rows }: WrittenStatement): boolean {
  return rows >= bulkRowsMin && text.includes('insert into ')
}

/**
 * Keeps the planner's statistics current during bulk loads. A table that was empty a moment ago still looks empty to the planner
 * until autovacuum analyses it about a minute later: joins are planned for one row and run for ten thousand. So a bulk load
 * analyses the table each time it has doubled. Rows that are deleted as fast as they are inserted never double a table. The pause
 * until the next analysis then grows, because each one makes all connections plan their statements on the table again.
 */
export function createGrowth(take: () => Promise<Connection>, log: Logger): Growth {
  const written = new Map<string, number>()
  const known = new Map<string, number>()
  const findTables = tablesWritten()
  const parts = new GrownParts()
  let looking: Promise<void> | null = null

  async function measure(): Promise<void> {
    do {
      await lookAtTables()
      for (let part = parts.takeGrown(); part !== undefined; part = parts.takeGrown())
        await analyseUnknown(take, log, part)
    } while (hasGrown())
  }

  async function lookAtTables(): Promise<void> {
    for (let table = nextGrown(); table !== undefined; table = nextGrown()) {
      const rows = written.get(table) ?? 0
      written.set(table, 0)
      try {
        const found = await analyseGrown(await take(), table, rows)
        known.set(table, Math.max(found, 2 * (known.get(table) ?? 0)))
      } catch (error) {
        known.set(table, rows)
        log.debug({ event: 'database.not_analysed', table, reason: (error as Error).message })
      }
    }
  }

  function nextGrown(): string | undefined {
    return [...written].find(([table, rows]) => rows >= Math.max(rowsMin, known.get(table) ?? 0))?.[0]
  }

  const hasGrown = () => nextGrown() !== undefined || parts.hasGrown

  return {
    note({ text, values = [], rows }) {
      for (const table of findTables(text)) written.set(table, (written.get(table) ?? 0) + rows)
      parts.note(text, values, rows)
      if (hasGrown()) looking ??= measure().finally(() => (looking = null))
    },
    settle: () => looking ?? Promise.resolve(),
  }
}

/** Returns the tables that a statement inserts into, found in its text. */
function tablesWritten(): (text: string) => string[] {
  const tablesByText = new Map<string, string[]>()
  return (text) => {
    const found = tablesByText.get(text)
    if (found !== undefined) return found
    const tables = Array.from(text.matchAll(/\binsert into (\w+)/g), ([, table = '']) => table)
    if (tablesByText.size < textsMax) tablesByText.set(text, tables)
    return tables
  }
}

/** Analyses the table if it has grown. Returns the number of rows that PostgreSQL assumes. */
async function analyseGrown(connection: Connection, table: string, written: number): Promise<number> {
  const { client } = connection
  try {
    const text = `select reltuples as rows from pg_class where oid = to_regclass(quote_ident($1))`
    const { rows: before } = await connection.ask(client.query<{ rows: number }>(text, [table]))
    const rows = before[0]?.rows ?? Number.POSITIVE_INFINITY
    if (rows > written) return rows
    await connection.ask(client.query(`analyze (skip_locked) ${client.escapeIdentifier(table)}`))
    return Math.max(rows, written)
  } finally {
    connection.release()
  }
}

/**
 * The number of rows that PostgreSQL expects for a value: the measured frequency of a listed value, else the average of those not
 * listed.
 */
const takenForText = `
  select min(t.rows) as taken, count(*)::int as columns from (
    select c.reltuples * coalesce(s.most_common_freqs[array_position(s.most_common_vals::text::text[], v.value)],
      (1 - coalesce((select sum(f) from unnest(s.most_common_freqs) f), 0)) / greatest(1,
        case when s.n_distinct < 0 then -s.n_distinct * c.reltuples else s.n_distinct end
          - coalesce(cardinality(s.most_common_freqs), 0))) as rows
    from unnest($2::text[], $3::text[]) v (name, value)
      join pg_class c on c.oid = to_regclass(quote_ident($1))
      join pg_namespace n on n.oid = c.relnamespace
      join pg_stats s on s.schemaname = n.nspname and s.tablename = c.relname and s.attname = v.name and not s.inherited
  ) t`

async function analyseUnknown(take: () => Promise<Connection>, log: Logger, part: TablePart): Promise<void> {
  const { table, columns, values } = part
  const connection = await take().catch(() => null)
  if (connection === null) return
  const { client } = connection
  try {
    const estimate = client.query<{ taken: number | null; columns: number }>(takenForText, [table, columns, values])
    const [found] = (await connection.ask(estimate)).rows
    const taken = found?.columns === columns.length ? found.taken : null
    if (isTakenForLess(part, taken))
      await connection.ask(client.query(`analyze (skip_locked) ${client.escapeIdentifier(table)}`))
  } catch (error) {
    log.debug({ event: 'database.not_analysed', table, reason: (error as Error).message })
  } finally {
    connection.release()
  }
}

/** The rows of a table with the same first and third column of their key, such as an account and a campaign. */
interface TablePart {
  table: string
  columns: readonly [first: string, third: string]
  values: readonly [first: string, third: string]
  /** The number of rows written by this process. */
  rows: number
}

/** From this size on, a join that compares all rows of a part with each other is noticeably slow. */
const partRowsMin = 1_000
/** The factor by which a part must grow until it is checked again. */
const partGrowth = 4
const partsMax = 1_000

interface CountedPart extends TablePart {
  nextLook: number
}

/**
 * Counts the rows written into each part of a table. A new part may be small compared with its table and still far larger than
 * the one row that PostgreSQL expects for an unknown value.
 */
class GrownParts {
  readonly #parts = new Map<string, CountedPart>()
  readonly #intoOf = new Map<string, Pick<TablePart, 'table' | 'columns'>[]>()

  note(text: string, values: readonly unknown[], rows: number): void {
    const [first, , third] = values
    if (typeof first !== 'string' || typeof third !== 'string') return
    for (const { table, columns } of this.#findInto(text)) {
      const key = `${table} ${first} ${third}`
      const part = this.#parts.get(key) ?? { table, columns, values: [first, third], rows: 0, nextLook: partRowsMin }
      // Moved to the end, so that the part written last is forgotten last.
      this.#parts.delete(key)
      this.#parts.set(key, { ...part, rows: part.rows + rows })
      if (this.#parts.size > partsMax) this.#parts.delete([...this.#parts.keys()][0] ?? key)
    }
  }

  /** Returns a part that has grown enough for a check. The same part is returned again only after it has grown by the factor. */
  takeGrown(): TablePart | undefined {
    for (const [key, part] of this.#parts) {
      if (part.rows < part.nextLook) continue
      this.#parts.set(key, { ...part, nextLook: part.rows * partGrowth })
      return part
    }
    return undefined
  }

  get hasGrown(): boolean {
    return [...this.#parts.values()].some(({ rows, nextLook }) => rows >= nextLook)
  }

  #findInto(text: string) {
    const before = this.#intoOf.get(text)
    if (before !== undefined) return before
    const found = [...text.matchAll(/\binsert into (\w+) \((\w+), \w+, (\w+)\b/g)].map(
      ([, table = '', first = '', third = '']) => ({ table, columns: [first, third] as const }),
    )
    if (this.#intoOf.size < partsMax) this.#intoOf.set(text, found)
    return found
  }
}

/** Whether PostgreSQL expects far fewer rows than the part has (null means that it has no statistics), so that plans may be bad. */
function isTakenForLess(part: TablePart, taken: number | null): boolean {
  return taken === null || taken * partGrowth < part.rows
}
