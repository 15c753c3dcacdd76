/** A parameter of an operation, by the name that it has in the API. */
export interface Field {
  name: string
  in: 'path' | 'query' | 'body'
  label: string
  type: 'string' | 'text' | 'number' | 'boolean' | 'json' | 'dateTime'
  required?: true
  description?: string
}

/** The words that the results of a list have. */
export const words: Field = { name: 'q', in: 'query', label: 'Search', type: 'string' }

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
  task: 'Task',
  tag: 'Tag',
  list: 'List',
  suppression: 'Suppression',
  clock: 'Test Clock',
} as const
export type Resource = keyof typeof resources
