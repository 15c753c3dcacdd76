import type { Database, Executor, Transaction } from '@overture/server/platform/db/database.ts'

interface PlanNode {
  'Parent Relationship'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  'Index Name'?: string
  Plans?: PlanNode[]
}

function rowsVisited(node: PlanNode): number {
  const per = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)
  return per * node['Actual Loops'] + (node.Plans ?? []).reduce((sum, each) => sum + rowsVisited(each), 0)
}

function indexesRead(node: PlanNode): string[] {
  const own = node['Index Name'] === undefined ? [] : [node['Index Name']]
  return own.concat((node.Plans ?? []).flatMap(indexesRead))
}

/** Runs statements under EXPLAIN and records how many rows each visited. A write returns the number of rows that it changed. */
export function explained(db: Executor): { explaining: Executor; visited: number[] } {
  const visited: number[] = []
  const explain = async (text: string, values: unknown[]): Promise<PlanNode> => {
    const [row] = await db.query<Record<string, [{ Plan: PlanNode }]>>(`explain (analyze, format json) ${text}`, values)
    const plan = Object.values(row!)[0]![0].Plan
    visited.push(rowsVisited(plan))
    return plan
  }
  const explaining = {
    query: async (text: string, values: unknown[]) => {
      await explain(text, values)
      return []
    },
    execute: async (text: string, values: unknown[]) => {
      const { Plans: plans = [] } = await explain(text, values)
      return plans.find((plan) => plan['Parent Relationship'] === 'Outer')?.['Actual Rows'] ?? 0
    },
  }
  return { explaining: explaining as unknown as Executor, visited }
}

export interface LookedAt {
  text: string
  visited: number
  /** Names of the indexes, once for each scan. */
  indexes: string[]
}

/** Wraps a database: statements return their usual results, and the number of rows that each visited is recorded. */
export function explainedDatabase(db: Database, seen: LookedAt[]): Database {
  const explain = async (on: Executor, text: string, values: readonly unknown[]): Promise<void> => {
    const [row] = await on.query<Record<string, [{ Plan: PlanNode }]>>(`explain (analyze, format json) ${text}`, values)
    const plan = Object.values(row!)[0]![0].Plan
    seen.push({ text, visited: rowsVisited(plan), indexes: indexesRead(plan) })
  }
  // The explained run is rolled back, so that only the statement itself writes.
  const explainWithin = async (tx: Transaction, text: string, values: readonly unknown[]): Promise<void> => {
    if (!isExplainable(text)) return
    await tx.execute('savepoint explained')
    await explain(tx, text, values)
    await tx.execute('rollback to savepoint explained')
  }
  const explainAlone = async (text: string, values: readonly unknown[]): Promise<void> => {
    if (!isExplainable(text)) return
    const undone = new Error('Undone.')
    await db
      .transaction(async (tx) => {
        await explain(tx, text, values)
        throw undone
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error
      })
  }
  return {
    async query(text, values = [], name) {
      await explainAlone(text, values)
      return db.query(text, values, name)
    },
    async execute(text, values = [], name) {
      await explainAlone(text, values)
      return db.execute(text, values, name)
    },
    transaction: (run, options) =>
      db.transaction(
        (tx) =>
          run({
            ...tx,
            async query(text, values = [], name) {
              await explainWithin(tx, text, values)
              return tx.query(text, values, name)
            },
            async execute(text, values = [], name) {
              await explainWithin(tx, text, values)
              return tx.execute(text, values, name)
            },
          }),
        options,
      ),
    listen: (channel, callback) => db.listen(channel, callback),
    within: (accountId) => explainedDatabase(db.within(accountId), seen),
    beyondWall: () => explainedDatabase(db.beyondWall(), seen),
    relaxed: () => explainedDatabase(db.relaxed(), seen),
  }
}

function isExplainable(text: string): boolean {
  return /^\s*(?:\(|(?:select|with|insert|update|delete)\b)/i.test(text)
}
