import { words, type Field, type Operation } from './operation'

const conversationId: Field = { name: 'id', in: 'path', label: 'Conversation ID', type: 'string', required: true }

export const conversationOperations: readonly Operation[] = [
  {
    resource: 'conversation',
    value: 'addNote',
    name: 'Add Note',
    action: 'Add a note to a conversation',
    method: 'POST',
    path: '/v2/conversations/{id}/notes',
    fields: [
      conversationId,
      { name: 'text', in: 'body', label: 'Text', type: 'text', required: true },
      { name: 'mentions', in: 'body', label: 'Mentions', type: 'json', description: 'IDs of users, as a JSON list' },
    ],
  },
  {
    resource: 'conversation',
    value: 'forward',
    name: 'Forward',
    action: 'Forward a message of a conversation',
    method: 'POST',
    path: '/v2/conversations/{id}/forward',
    fields: [
      conversationId,
      { name: 'messageId', in: 'body', label: 'Message ID', type: 'string', required: true },
      {
        name: 'to',
        in: 'body',
        label: 'To',
        type: 'json',
        required: true,
        description: 'Up to ten addresses, as a JSON list',
      },
      { name: 'text', in: 'body', label: 'Text', type: 'text' },
    ],
  },
  {
    resource: 'conversation',
    value: 'get',
    name: 'Get',
    action: 'Get a conversation',
    method: 'GET',
    path: '/v2/conversations/{id}',
    fields: [conversationId],
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
      conversationId,
      { name: 'text', in: 'body', label: 'Text', type: 'text', required: true },
      { name: 'html', in: 'body', label: 'HTML', type: 'text' },
      { name: 'delaySeconds', in: 'body', label: 'Delay (Seconds)', type: 'number' },
    ],
  },
  {
    resource: 'conversation',
    value: 'snooze',
    name: 'Snooze',
    action: 'Snooze a conversation',
    method: 'PUT',
    path: '/v2/conversations/{id}',
    fields: [
      conversationId,
      { name: 'snoozedUntil', in: 'body', label: 'Snoozed Until', type: 'dateTime', required: true },
    ],
  },
]
