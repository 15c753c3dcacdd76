import type { Logger } from '../log.shell.ts'
import type { Connection } from './connections.client.ts'

/** Below this a statement is no bulk load, and a table is small enough for any plan. */
const bulkRowsMin = 100
const rowsMin = 1_000
const textsMax = 1_000

/** Has tables looked at anew that have grown to a multiple of what PostgreSQL knows of them. */
interface Growth {
  /** Told after the commit, of statements that wrote many rows. */
  note(written: WrittenStatement): void
  /** Ends when nothing is looked at any more. */
  settle(): Promise<void>
}

export interface WrittenStatement {
  text: string
  rows: number
}

export function isBulk({ text, rows }: WrittenStatement): boolean {
  return rows >= bulkRowsMin && text.includes('insert into ')
}

/**
 * A table that was empty a moment ago still looks empty to the planner until PostgreSQL's own housekeeping comes by, a
 * minute later: joins are planned for one row and run for ten thousand. So whoever loads a table has it analysed each
 * time when it has doubled. Rows that go as fast as they come never double a table: the more was written in vain, the
 * longer until the next look, for each has every statement on the table planned anew, on each connection.
 */
export function createGrowth(take: () => Promise<Connection>, log: Logger): Growth {
  const written = new Map<string, number>()
  const known = new Map<string, number>()
  const tablesOf = new Map<string, string[]>()
  let looking: Promise<void> | null = null

  function findTables(text: string): string[] {
    const found = tablesOf.get(text)
    if (found !== undefined) return found
    const tables = Array.from(text.matchAll(/\binsert into (\w+)/g), ([, table = '']) => table)
    if (tablesOf.size < textsMax) tablesOf.set(text, tables)
    return tables
  }

  async function look(): Promise<void> {
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

  return {
    note({ text, rows }) {
      for (const table of findTables(text)) written.set(table, (written.get(table) ?? 0) + rows)
      if (nextGrown() !== undefined) looking ??= look().finally(() => (looking = null))
    },
    settle: () => looking ?? Promise.resolve(),
  }
}

/** Answers how many rows PostgreSQL knows of. */
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
