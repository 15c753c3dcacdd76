import { deliveryEndpoints } from '@overture/contract/delivery/delivery.ts'
import { testMessageEndpoints } from '@overture/contract/delivery/test-messages.ts'
import { command, phased, query, type Route } from '../platform/http/route.ts'
import { textCheckEndpoints } from '@overture/contract/templates/check.ts'
import { checkTexts } from './explain/check-texts.queries.ts'
import { explainLead, getFollowupStatus, getLeadThread } from './explain/explain.queries.ts'
import type { MeetingUrl } from './explain/meeting-url.ts'
import { previewMessage } from './explain/preview.queries.ts'
import { listTestsOf, queueTestMessage, writeTestMessage } from './explain/test-messages.commands.ts'
import { getForecast } from './explain/forecast.queries.ts'
import { sendNow } from './messages/messages.commands.ts'
import { replyToLead } from './messages/reply.commands.ts'
import type { TemplateRenderer } from '../templates/index.ts'
import { resolveUncertain } from './record/settle.commands.ts'

interface DeliveryRouteTools {
  renderer: TemplateRenderer
  /** The booking link of a lead; null where none is set up. */
  meetingUrl?: MeetingUrl
}

/** Preview, forecast, explain and what a person does to a lead's messages. */
export function deliveryRoutes({ renderer, ...tools }: DeliveryRouteTools): Route[] {
  const meetingUrl = tools.meetingUrl ?? (() => null)
  const {
    previewMessage: preview,
    getForecast: forecast,
    getFollowupStatus: followup,
    explainLead: explain,
    getLeadThread: thread,
    sendNow: send,
    replyToLead: reply,
    resolveDelivery: resolve,
  } = deliveryEndpoints
  return [
    query(preview, ({ app, tenant, now }, { params, body }) =>
      previewMessage(app, tenant, { campaignId: params.id, ...body, now, meetingUrl, renderer }),
    ),
    phased(testMessageEndpoints.sendTestMessage, async ({ app, tenant, now }, { params, body }, answer) => {
      const written = await writeTestMessage(app, tenant, { campaignId: params.id, ...body, now, meetingUrl, renderer })
      return answer((tx) => queueTestMessage(tx, tenant, written))
    }),
    query(testMessageEndpoints.listTestMessages, ({ app, tenant }, { params, query: asked }) =>
      listTestsOf(app, tenant, params.id, asked),
    ),
    query(textCheckEndpoints.checkTexts, ({ app, tenant, now }, { body }) =>
      checkTexts(app, tenant, { ...body, now, meetingUrl, renderer }),
    ),
    query(forecast, ({ app, tenant, now }, { params }) =>
      getForecast(app, tenant, { campaignId: params.id, now, meetingUrl, renderer }),
    ),
    query(followup, ({ app, tenant, now }, { params }) =>
      getFollowupStatus(app, tenant, { campaignId: params.id, now, meetingUrl, renderer }),
    ),
    query(explain, ({ app, tenant, now }, { params }) =>
      explainLead(app, tenant, { campaignId: params.id, leadId: params.leadId, now, meetingUrl, renderer }),
    ),
    query(thread, ({ app, tenant }, { params }) =>
      getLeadThread(app, tenant, { campaignId: params.id, leadId: params.leadId }),
    ),
    command(send, ({ app: { secrets }, tenant, now }, { params }, tx) =>
      sendNow(tx, tenant, { campaignId: params.id, leadId: params.leadId, secrets, renderer, now }),
    ),
    command(reply, ({ tenant, now }, { params, body }, tx) =>
      replyToLead(tx, tenant, { campaignId: params.id, leadId: params.leadId }, { ...body, renderer, now }),
    ),
    command(resolve, ({ tenant, now }, { params, body }, tx) =>
      resolveUncertain(tx, tenant, { campaignId: params.id, leadId: params.leadId, outcome: body.outcome, now }),
    ),
  ]
}
