import { approvalEndpoints as api } from '@overture/contract/ai/approvals.ts'
import { notFound } from '@overture/contract/errors.ts'
import { command, query, type Route } from '../platform/http/route.ts'
import { decideDraft, type DraftTools, listApprovals } from './drafts/drafts.commands.ts'

export function approvalRoutes(tools: DraftTools): Route[] {
  const place = (params: { id: string; approvalId: string }, now: Date) => ({
    tools,
    campaignId: params.id,
    approvalId: params.approvalId,
    now,
  })
  return [
    query(api.listApprovals, async ({ app, tenant }, { params, query: filter }) => {
      if ((await tools.findApprovalMode(app.db, tenant, params.id)) === undefined) throw notFound()
      return listApprovals(app.db, tenant, { ...filter, campaignId: params.id })
    }),
    command(api.approveText, ({ tenant, now }, { params, body }, tx) =>
      decideDraft(tx, tenant, { ...place(params, now), status: 'approved', textDigest: body.textDigest ?? null }),
    ),
    command(api.rejectText, ({ tenant, now }, { params }, tx) =>
      decideDraft(tx, tenant, { ...place(params, now), status: 'rejected' }),
    ),
    command(api.editText, ({ tenant, now }, { params, body }, tx) =>
      decideDraft(tx, tenant, { ...place(params, now), edit: body }),
    ),
  ]
}
