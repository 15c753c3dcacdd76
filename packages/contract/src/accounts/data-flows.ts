import { z } from 'zod'
import { namedObject } from '../common.ts'
import { endpoint } from '../endpoint.ts'

export const dataReceivers = [
  'mail_server',
  'mail_login',
  'ai_model',
  'people_data',
  'address_verification',
  'webhook',
  'calendar',
  'system_mail',
  'payments',
  'search_index',
  'traces',
  'single_sign_on',
  'assistant_document',
  'name_server',
] as const
const dataReceiver = z.enum(dataReceivers).meta({ id: 'DataReceiver' })
export type DataReceiver = z.infer<typeof dataReceiver>

const flow = namedObject('DataFlow', {
  receiver: dataReceiver,
  host: z.string().meta({ description: 'The host that data is sent to. `system` is the name server of the machine.' }),
  configuredBy: z.enum(['account', 'operator']),
  fields: z.array(z.string()).meta({ description: 'The data that is sent, in words.' }),
  callsIn30Days: z.number().int().nullable().meta({
    description:
      'Messages, requests or deliveries of this account and environment in 30 days. Null: they are not counted.',
  }),
})
export type DataFlow = z.infer<typeof flow>

export const dataFlows = namedObject('DataFlows', { receivers: z.array(flow) })

export const dataFlowEndpoints = {
  getDataFlows: endpoint({
    operationId: 'getDataFlows',
    call: 'account.dataFlows',
    method: 'GET',
    path: '/v2/account/data-flows',
    environment: 'both',
    scope: 'read',
    tag: 'Account',
    summary: 'List the receivers of data',
    description:
      'Every host that the account or the operator has configured, with the fields that it gets and how often it was called. The ' +
      'test environment sends data to no one, so it lists none.',
    success: [200],
    output: dataFlows,
    examples: {
      output: {
        receivers: [
          {
            receiver: 'mail_server',
            host: 'smtp.example.com',
            configuredBy: 'account',
            fields: ['email address', 'name', 'texts of messages'],
            callsIn30Days: 1200,
          },
        ],
      },
    },
  }),
}
