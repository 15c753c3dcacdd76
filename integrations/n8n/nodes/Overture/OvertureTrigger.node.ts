import type {
  IDataObject,
  IHookFunctions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
  JsonObject,
} from 'n8n-workflow'
import { NodeApiError, NodeConnectionTypes } from 'n8n-workflow'
import { eventTypes } from './event-types'
import { ask } from './request'
import { isSigned } from './signature'

export class OvertureTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Overture Trigger',
    name: 'overtureTrigger',
    icon: { light: 'file:overture.svg', dark: 'file:overture.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: 'Starts the workflow when something happens in Overture',
    defaults: { name: 'Overture Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'overtureApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        default: ['reply.received'],
        options: eventTypes.map((value) => ({ name: value, value })),
      },
      {
        displayName: 'Campaign IDs',
        name: 'campaignIds',
        type: 'string',
        typeOptions: { multipleValues: true },
        default: [],
        description: 'The campaigns whose events start the workflow. Leave empty for all campaigns.',
      },
      {
        displayName: 'Fetch Lead and Conversation',
        name: 'fetch',
        type: 'boolean',
        default: false,
        description: 'Whether to add the lead and the conversation that an event is about',
      },
    ],
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId, secret } = this.getWorkflowStaticData('node')
        if (typeof webhookId !== 'string' || typeof secret !== 'string') return false
        try {
          const found = await ask(this, { method: 'GET', path: `/v2/webhooks/${webhookId}` })
          return found.url === this.getNodeWebhookUrl('default') && found.enabled === true
        } catch (error) {
          if (error instanceof NodeApiError && error.httpCode === '404') return false
          throw new NodeApiError(this.getNode(), error as JsonObject)
        }
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const made = await ask(this, {
          method: 'POST',
          path: '/v2/webhooks',
          body: {
            url: this.getNodeWebhookUrl('default'),
            events: this.getNodeParameter('events') as string[],
            campaignIds: (this.getNodeParameter('campaignIds', []) as string[]).filter((id) => id !== ''),
          },
        })
        Object.assign(this.getWorkflowStaticData('node'), { webhookId: made.id, secret: made.secret })
        return true
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const data = this.getWorkflowStaticData('node')
        try {
          await ask(this, { method: 'DELETE', path: `/v2/webhooks/${data.webhookId as string}` })
        } catch (error) {
          // A webhook that is already gone needs no deletion.
          if (!(error instanceof NodeApiError && error.httpCode === '404'))
            throw new NodeApiError(this.getNode(), error as JsonObject)
        }
        delete data.webhookId
        delete data.secret
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const request = this.getRequestObject()
    const { secret } = this.getWorkflowStaticData('node')
    const body = request.rawBody
    const isOurs =
      typeof secret === 'string' && body !== undefined && isSigned(body, request.headers, { secret, nowMs: Date.now() })
    if (!isOurs) {
      this.getResponseObject().status(401).json({ message: 'The signature is not valid.' })
      return { noWebhookResponse: true }
    }
    const event = JSON.parse(body.toString('utf8')) as IDataObject
    const complete = (this.getNodeParameter('fetch', false) as boolean) ? await withSubjects(this, event) : event
    return { workflowData: [this.helpers.returnJsonArray([complete])] }
  }
}

interface Subjects {
  campaignId?: string | null
  leadId?: string | null
  leadEmail?: string | null
}

/** The event with the lead and the conversation that it is about. */
async function withSubjects(functions: IWebhookFunctions, event: IDataObject): Promise<IDataObject> {
  const { campaignId, leadId, leadEmail } = event.data as Subjects
  if (!campaignId || !leadId) return { ...event, lead: null, conversation: null }
  const [lead, conversation] = await Promise.all([
    ask(functions, { method: 'GET', path: `/v2/campaigns/${campaignId}/leads/${leadId}` }),
    findConversation(functions, { campaignId, leadId, q: leadEmail ?? '' }),
  ])
  return { ...event, lead, conversation }
}

const foundMax = 20

async function findConversation(
  functions: IWebhookFunctions,
  { campaignId, leadId, q }: { campaignId: string; leadId: string; q: string },
): Promise<IDataObject | null> {
  const qs = { campaignId, limit: foundMax, ...(q !== '' && { q }) }
  const { results } = await ask(functions, { method: 'GET', path: '/v2/conversations', qs })
  const found = (results as IDataObject[]).find((one) => one.leadId === leadId)
  if (found === undefined) return null
  return ask(functions, { method: 'GET', path: `/v2/conversations/${found.id as string}` })
}
