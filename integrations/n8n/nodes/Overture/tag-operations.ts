import type { Field, Operation } from './operation'

const tagId: Field = { name: 'id', in: 'path', label: 'Tag ID', type: 'string', required: true }
const taggedIds: Field = {
  name: 'ids',
  in: 'body',
  label: 'IDs',
  type: 'json',
  required: true,
  description: 'Up to 100 IDs of campaigns, people and sending accounts, as a JSON list',
}

export const tagOperations: readonly Operation[] = [
  {
    resource: 'tag',
    value: 'assign',
    name: 'Assign',
    action: 'Assign a tag',
    method: 'POST',
    path: '/v2/tags/{id}/assign',
    fields: [tagId, taggedIds],
  },
  {
    resource: 'tag',
    value: 'create',
    name: 'Create',
    action: 'Create a tag',
    method: 'POST',
    path: '/v2/tags',
    fields: [{ name: 'name', in: 'body', label: 'Name', type: 'string', required: true }],
  },
  {
    resource: 'tag',
    value: 'getAll',
    name: 'Get Many',
    action: 'Get many tags',
    method: 'GET',
    path: '/v2/tags',
    fields: [],
    isList: true,
  },
  {
    resource: 'tag',
    value: 'unassign',
    name: 'Unassign',
    action: 'Unassign a tag',
    method: 'POST',
    path: '/v2/tags/{id}/unassign',
    fields: [tagId, taggedIds],
  },
]
