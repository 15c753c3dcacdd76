import { approvalEndpoints as api } from '@overture/contract/ai/approvals.ts'
import { notFound } from '@overture/contract/errors.ts'
import type { Caller } from '../platform/http/admission.ts'
import { command, query, type Route } from '../platform/http/route.ts'
import { decideDraft, type DraftTools, getApproval, listApprovals } from './drafts/drafts.commands.ts'

export function approvalRoutes(tools: DraftTools): Route[] {
  const place = (params: { id: string; approvalId: string }, { now, caller }: { now: Date; caller: Caller }) => ({
    tools,
    campaignId: params.id,
    approvalId: params.approvalId,
    by: caller.userId ?? caller.id,
    now,
  })
  return [
    query(api.listApprovals, async ({ app, tenant }, { params, query: filter }) => {
      if ((await tools.findApprovalMode(app.db, tenant, params.id)) === undefined) throw notFound()
      return listApprovals(app.db, tenant, { ...filter, campaignId: params.id })
    }),
    query(api.getApproval, ({ app, tenant }, { params }) =>
      getApproval(app.db, tenant, { campaignId: params.id, approvalId: params.approvalId }),
    ),
    command(api.approveText, (context, { params, body }, tx) =>
      decideDraft(tx, context.tenant, {
        ...place(params, context),
        status: 'approved',
        textDigest: body.textDigest ?? null,
      }),
    ),
    command(api.rejectText, (context, { params }, tx) =>
      decideDraft(tx, context.tenant, { ...place(params, context), status: 'rejected' }),
    ),
    command(api.editText, (context, { params, body }, tx) =>
      decideDraft(tx, context.tenant, { ...place(params, context), edit: body }),
    ),
  ]
}
