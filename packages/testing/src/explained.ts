import type { Executor } from '@overture/server/platform/db/database.ts'

interface PlanNode {
  'Parent Relationship'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: PlanNode[]
}

function rowsVisited(node: PlanNode): number {
  const per = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)
  return per * node['Actual Loops'] + (node.Plans ?? []).reduce((sum, each) => sum + rowsVisited(each), 0)
}

/** Runs statements under EXPLAIN, and keeps how many rows each has looked at; a change answers how many rows it changed. */
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
