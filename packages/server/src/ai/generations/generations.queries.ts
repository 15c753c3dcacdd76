import type { GenerationRecord } from '@overture/contract/ai/ai.ts'
import type { AiCost } from '@overture/contract/analytics/analytics.ts'
import type { Executor } from '../../platform/db/database.ts'
import { answerList, byId, type PageQuery } from '../../platform/http/paging.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { type GenerationFilter, listGenerationRows, sumGenerations } from './generations.sql.ts'

/** Every charged or free call of a model, newest first: the details behind a campaign's AI costs and the ledger's entries. */
export async function listGenerations(db: Executor, tenant: Tenant, query: GenerationFilter & PageQuery) {
  return answerList(query, {
    key: byId,
    list: (range) => listGenerationRows(db, tenant, query, range),
    count: async () => (await sumGenerations(db, tenant, query)).generations,
    present: (rows) =>
      rows.map(({ createdAt, ...row }): GenerationRecord => ({ ...row, createdAt: createdAt.toISOString() })),
  })
}

/** The AI cost of a campaign: the sum of its generations. */
export async function sumAiCost(db: Executor, tenant: Tenant, campaignId: string): Promise<AiCost> {
  return sumGenerations(db, tenant, { campaignId })
}
