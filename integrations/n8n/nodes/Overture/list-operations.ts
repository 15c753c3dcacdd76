import { words, type Field, type Operation } from './operation'

const listId: Field = { name: 'id', in: 'path', label: 'List ID', type: 'string', required: true }

export const listOperations: readonly Operation[] = [
  {
    resource: 'list',
    value: 'addMembers',
    name: 'Add Members',
    action: 'Add members to a list',
    method: 'POST',
    path: '/v2/lists/{id}/members',
    fields: [
      listId,
      {
        name: 'members',
        in: 'body',
        label: 'Members',
        type: 'json',
        required: true,
        description: 'Up to 1,000 people with the fields of a lead, as a JSON list',
      },
    ],
  },
  {
    resource: 'list',
    value: 'create',
    name: 'Create',
    action: 'Create a list',
    method: 'POST',
    path: '/v2/lists',
    fields: [
      { name: 'name', in: 'body', label: 'Name', type: 'string', required: true },
      { name: 'description', in: 'body', label: 'Description', type: 'text' },
    ],
  },
  {
    resource: 'list',
    value: 'get',
    name: 'Get',
    action: 'Get a list',
    method: 'GET',
    path: '/v2/lists/{id}',
    fields: [listId],
  },
  {
    resource: 'list',
    value: 'getAll',
    name: 'Get Many',
    action: 'Get many lists',
    method: 'GET',
    path: '/v2/lists',
    fields: [words],
    isList: true,
  },
  {
    resource: 'list',
    value: 'getMembers',
    name: 'Get Members',
    action: 'Get the members of a list',
    method: 'GET',
    path: '/v2/lists/{id}/members',
    fields: [listId, words],
    isList: true,
  },
  {
    resource: 'list',
    value: 'removeMembers',
    name: 'Remove Members',
    action: 'Remove members from a list',
    method: 'POST',
    path: '/v2/lists/{id}/members/remove',
    fields: [
      listId,
      {
        name: 'emails',
        in: 'body',
        label: 'Emails',
        type: 'json',
        required: true,
        description: 'Up to 1,000 addresses, as a JSON list',
      },
    ],
  },
]
