/** A parameter of an operation, by the name that it has in the API. */
export interface Field {
  name: string
  in: 'path' | 'query' | 'body'
  label: string
  type: 'string' | 'text' | 'number' | 'boolean' | 'json' | 'dateTime'
  required?: true
  description?: string
}

/** One operation of the node, which is one operation of the API. */
export interface Operation {
  resource: Resource
  value: string
  name: string
  action: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path as in the API's OpenAPI document. */
  path: string
  fields: readonly Field[]
  /** Whether the operation returns a page of a list. */
  isList?: true
}

export const resources = {
  campaign: 'Campaign',
  lead: 'Lead',
  conversation: 'Conversation',
  suppression: 'Suppression',
  clock: 'Test Clock',
} as const
export type Resource = keyof typeof resources

const campaignId: Field = { name: 'id', in: 'path', label: 'Campaign ID', type: 'string', required: true }
const leadId: Field = { name: 'leadId', in: 'path', label: 'Lead ID', type: 'string', required: true }
const words: Field = { name: 'q', in: 'query', label: 'Search', type: 'string' }

export const operations: readonly Operation[] = [
  {
    resource: 'campaign',
    value: 'create',
    name: 'Create',
    action: 'Create a campaign',
    method: 'POST',
    path: '/v2/campaigns',
    fields: [
      { name: 'name', in: 'body', label: 'Name', type: 'string', required: true },
      { name: 'steps', in: 'body', label: 'Steps', type: 'json', description: 'Steps with their variants, as JSON' },
      {
        name: 'sendingAccountIds',
        in: 'body',
        label: 'Sending Account IDs',
        type: 'json',
        description: 'As a JSON list',
      },
      { name: 'schedule', in: 'body', label: 'Schedule', type: 'json' },
      { name: 'settings', in: 'body', label: 'Settings', type: 'json' },
    ],
  },
  {
    resource: 'campaign',
    value: 'get',
    name: 'Get',
    action: 'Get a campaign',
    method: 'GET',
    path: '/v2/campaigns/{id}',
    fields: [campaignId],
  },
  {
    resource: 'campaign',
    value: 'getAll',
    name: 'Get Many',
    action: 'Get many campaigns',
    method: 'GET',
    path: '/v2/campaigns',
    fields: [words, { name: 'status', in: 'query', label: 'Status', type: 'string' }],
    isList: true,
  },
  {
    resource: 'campaign',
    value: 'stats',
    name: 'Get Statistics',
    action: 'Get the statistics of a campaign',
    method: 'GET',
    path: '/v2/campaigns/{id}/stats',
    fields: [campaignId],
  },
  {
    resource: 'campaign',
    value: 'launch',
    name: 'Launch',
    action: 'Launch a campaign',
    method: 'POST',
    path: '/v2/campaigns/launch',
    fields: [
      {
        name: 'campaignId',
        in: 'body',
        label: 'Campaign ID',
        type: 'string',
        description: 'The ID of a draft. Leave empty to create a campaign from a name and steps.',
      },
      { name: 'name', in: 'body', label: 'Name', type: 'string' },
      { name: 'steps', in: 'body', label: 'Steps', type: 'json', description: 'Steps with their variants, as JSON' },
      {
        name: 'sendingAccountIds',
        in: 'body',
        label: 'Sending Account IDs',
        type: 'json',
        description: 'As a JSON list',
      },
      { name: 'leads', in: 'body', label: 'Leads', type: 'json', description: 'As a JSON list' },
      { name: 'schedule', in: 'body', label: 'Schedule', type: 'json' },
      { name: 'settings', in: 'body', label: 'Settings', type: 'json' },
    ],
  },
  {
    resource: 'campaign',
    value: 'pause',
    name: 'Pause',
    action: 'Pause a campaign',
    method: 'POST',
    path: '/v2/campaigns/{id}/pause',
    fields: [campaignId],
  },
  {
    resource: 'campaign',
    value: 'start',
    name: 'Start',
    action: 'Start a campaign',
    method: 'POST',
    path: '/v2/campaigns/{id}/start',
    fields: [campaignId],
  },
  {
    resource: 'lead',
    value: 'add',
    name: 'Add',
    action: 'Add leads to a campaign',
    method: 'POST',
    path: '/v2/campaigns/{id}/leads',
    fields: [
      campaignId,
      {
        name: 'leads',
        in: 'body',
        label: 'Lead',
        type: 'json',
        required: true,
        description: 'The lead of this item. All items of a campaign are added together, a thousand per call.',
      },
      {
        name: 'onDuplicate',
        in: 'body',
        label: 'On Duplicate',
        type: 'string',
        description: 'What to do with a lead that already exists: skip or update',
      },
    ],
  },
  {
    resource: 'lead',
    value: 'explain',
    name: 'Explain',
    action: 'Explain a lead',
    method: 'GET',
    path: '/v2/campaigns/{id}/leads/{leadId}/explain',
    fields: [campaignId, leadId],
  },
  {
    resource: 'lead',
    value: 'get',
    name: 'Get',
    action: 'Get a lead',
    method: 'GET',
    path: '/v2/campaigns/{id}/leads/{leadId}',
    fields: [campaignId, leadId],
  },
  {
    resource: 'lead',
    value: 'getAll',
    name: 'Get Many',
    action: 'Get many leads',
    method: 'GET',
    path: '/v2/campaigns/{id}/leads',
    fields: [
      campaignId,
      words,
      { name: 'status', in: 'query', label: 'Status', type: 'string' },
      { name: 'interest', in: 'query', label: 'Interest', type: 'string' },
      { name: 'email', in: 'query', label: 'Email', type: 'string' },
    ],
    isList: true,
  },
  {
    resource: 'lead',
    value: 'update',
    name: 'Set Status',
    action: 'Set status or interest of a lead',
    method: 'PUT',
    path: '/v2/campaigns/{id}/leads/{leadId}',
    fields: [
      campaignId,
      leadId,
      { name: 'status', in: 'body', label: 'Status', type: 'string' },
      { name: 'interest', in: 'body', label: 'Interest', type: 'string' },
    ],
  },
  {
    resource: 'conversation',
    value: 'getAll',
    name: 'Get Many',
    action: 'Get many conversations',
    method: 'GET',
    path: '/v2/conversations',
    fields: [
      { name: 'awaiting', in: 'query', label: 'Awaiting Reply', type: 'boolean' },
      { name: 'unread', in: 'query', label: 'Unread', type: 'boolean' },
      { name: 'campaignId', in: 'query', label: 'Campaign ID', type: 'string' },
      words,
    ],
    isList: true,
  },
  {
    resource: 'conversation',
    value: 'reply',
    name: 'Reply',
    action: 'Reply to a conversation',
    method: 'POST',
    path: '/v2/conversations/{id}/reply',
    fields: [
      { name: 'id', in: 'path', label: 'Conversation ID', type: 'string', required: true },
      { name: 'text', in: 'body', label: 'Text', type: 'text', required: true },
      { name: 'html', in: 'body', label: 'HTML', type: 'text' },
      { name: 'delaySeconds', in: 'body', label: 'Delay (Seconds)', type: 'number' },
    ],
  },
  {
    resource: 'suppression',
    value: 'create',
    name: 'Add',
    action: 'Suppress an address or domain',
    method: 'POST',
    path: '/v2/suppressions',
    fields: [
      { name: 'email', in: 'body', label: 'Email', type: 'string' },
      { name: 'domain', in: 'body', label: 'Domain', type: 'string' },
      { name: 'reason', in: 'body', label: 'Reason', type: 'string' },
    ],
  },
  {
    resource: 'clock',
    value: 'advance',
    name: 'Advance',
    action: 'Advance the clock of the test environment',
    method: 'POST',
    path: '/v2/sandbox/clock/advance',
    fields: [
      { name: 'by', in: 'body', label: 'By', type: 'string', description: 'Such as 3d, 12h or 30m' },
      { name: 'to', in: 'body', label: 'To', type: 'dateTime' },
    ],
  },
]

export function operationOf(resource: string, value: string): Operation | undefined {
  return operations.find((one) => one.resource === resource && one.value === value)
}
