import { contactPolicyEndpoints } from '@overture/contract/contact-policy/contact-policy.ts'
import { deliveryEndpoints } from '@overture/contract/delivery/delivery.ts'
import { dryRunCampaign } from '@overture/contract/delivery/dry-run.ts'
import { diagnosisEndpoints } from '@overture/contract/delivery/diagnosis.ts'
import { preflightEndpoints } from '@overture/contract/delivery/preflight.ts'
import { returnedEndpoints } from '@overture/contract/delivery/returned.ts'
import { testMessageEndpoints } from '@overture/contract/delivery/test-messages.ts'
import { command, phased, query, type Route } from '../platform/http/route.ts'
import { textCheckEndpoints } from '@overture/contract/templates/check.ts'
import type { AiStartCheck, ContentTools } from '../campaigns/index.ts'
import { getAccountForecast } from './ask/account-forecast.queries.ts'
import { previewContactPolicy } from './ask/contact-policy-preview.queries.ts'
import { diagnoseCampaign } from './ask/diagnosis.queries.ts'
import { dryRunUpdate } from './ask/dry-run.shell.ts'
import { getPreflight } from './ask/preflight.queries.ts'
import { checkTexts } from './ask/check-texts.queries.ts'
import { explainLead, getFollowupStatus, getLeadThread } from './ask/explain.queries.ts'
import type { MeetingUrl } from './meeting-url.ts'
import { previewMessage } from './ask/preview.queries.ts'
import { presentTests, queueTestMessage, writeTestMessage } from './ask/test-messages.shell.ts'
import { getForecast } from './ask/forecast.queries.ts'
import { sendNow } from './messages/messages.commands.ts'
import { replyToLead } from './messages/reply.commands.ts'
import type { ExplainTools } from './delivery.shell.ts'
import { resolveReturned } from './record/returned.commands.ts'
import { resolveUncertain } from './record/settle.commands.ts'

interface DeliveryRouteTools extends ContentTools {
  checkAi: AiStartCheck
  /** The booking link of a lead; null if there is no booking page. */
  meetingUrl?: MeetingUrl
}

type AheadTools = ExplainTools & Omit<DeliveryRouteTools, 'meetingUrl'>

/** Routes for preview, forecast, explain, and a person's actions on a lead's messages. */
export function deliveryRoutes({ renderer, ...tools }: DeliveryRouteTools): Route[] {
  const meetingUrl = tools.meetingUrl ?? (() => null)
  const explainTools = { renderer, meetingUrl }
  return [...textRoutes(explainTools), ...aheadRoutes({ ...tools, ...explainTools }), ...leadRoutes(explainTools)]
}

/** Routes that show messages as they would be written. */
function textRoutes(tools: ExplainTools): Route[] {
  return [
    query(deliveryEndpoints.previewMessage, ({ app, tenant, now }, { params, body }) =>
      previewMessage(app, tenant, { campaignId: params.id, ...body, now, ...tools }),
    ),
    phased(testMessageEndpoints.sendTestMessage, async ({ app, tenant, now }, { params, body }, answer) => {
      const written = await writeTestMessage(app, tenant, { campaignId: params.id, ...body, now, ...tools })
      return answer((tx) => queueTestMessage(tx, tenant, written))
    }),
    query(testMessageEndpoints.listTestMessages, ({ app, tenant }, { params, query: listQuery }) =>
      presentTests(app, tenant, params.id, listQuery),
    ),
    query(textCheckEndpoints.checkTexts, ({ app, tenant, now }, { body }) =>
      checkTexts(app, tenant, { ...body, now, ...tools }),
    ),
  ]
}

/** Routes that run the planner ahead. */
function aheadRoutes({ checkAi, ...tools }: AheadTools): Route[] {
  return [
    query(deliveryEndpoints.getForecast, ({ app, tenant, now }, { params }) =>
      getForecast(app, tenant, { campaignId: params.id, now, ...tools }),
    ),
    query(preflightEndpoints.getPreflight, ({ app, tenant, now }, { params }) =>
      getPreflight(app, tenant, { campaignId: params.id, now, checkAi, ...tools }),
    ),
    query(diagnosisEndpoints.diagnoseCampaign, ({ app, tenant, now }, { params }) =>
      diagnoseCampaign(app, tenant, { campaignId: params.id, now, ...tools }),
    ),
    query(dryRunCampaign, ({ app, tenant, now }, { params, body }) =>
      dryRunUpdate(app, tenant, { id: params.id, input: body, now, ...tools }),
    ),
    query(diagnosisEndpoints.getAccountForecast, ({ app, tenant, now }, { query: { days } }) =>
      getAccountForecast(app, tenant, { days, now, ...tools }),
    ),
    query(contactPolicyEndpoints.previewContactPolicy, ({ app, tenant, now }, { body }) =>
      previewContactPolicy(app, tenant, { changes: body, now }),
    ),
    query(deliveryEndpoints.getFollowupStatus, ({ app, tenant, now }, { params }) =>
      getFollowupStatus(app, tenant, { campaignId: params.id, now, ...tools }),
    ),
  ]
}

function leadRoutes(tools: ExplainTools): Route[] {
  const { renderer } = tools
  return [
    query(deliveryEndpoints.explainLead, ({ app, tenant, now }, { params }) =>
      explainLead(app, tenant, { campaignId: params.id, leadId: params.leadId, now, ...tools }),
    ),
    query(deliveryEndpoints.getLeadThread, ({ app, tenant }, { params }) =>
      getLeadThread(app, tenant, { campaignId: params.id, leadId: params.leadId }),
    ),
    command(deliveryEndpoints.sendNow, ({ app: { secrets }, tenant, now }, { params }, tx) =>
      sendNow(tx, tenant, { campaignId: params.id, leadId: params.leadId, secrets, renderer, now }),
    ),
    command(deliveryEndpoints.replyToLead, ({ tenant, now }, { params, body }, tx) =>
      replyToLead(tx, tenant, { campaignId: params.id, leadId: params.leadId }, { ...body, renderer, now }),
    ),
    command(deliveryEndpoints.resolveDelivery, ({ tenant, now }, { params, body }, tx) =>
      resolveUncertain(tx, tenant, { campaignId: params.id, leadId: params.leadId, outcome: body.outcome, now }),
    ),
    command(returnedEndpoints.resolveReturned, ({ tenant, now }, { params, body }, tx) =>
      resolveReturned(tx, tenant, { ...body, campaignId: params.id, now }),
    ),
  ]
}
