import type { WebhookDelivery, WebhookStatus } from '@overture/sdk'
import { words } from '../platform/text/words.ts'

const statuses: Readonly<Record<WebhookStatus, string>> = { active: 'Active', failing: 'Failing', disabled: 'Disabled' }
const deliveries: Readonly<Record<WebhookDelivery['status'], string>> = {
  pending: 'pending',
  succeeded: 'succeeded',
  failed: 'failed',
}

export const statusText = words('webhookStatuses', statuses)
export const deliveryText = words('deliveryStatuses', deliveries)

export const text = words('webhooks', {
  title: 'Webhooks',
  list: 'Webhooks',
  url: 'URL',
  events: 'Events',
  all: 'all events',
  some: (count: string) => `${count} event types`,
  status: 'Status',
  add: 'Add a webhook',
  addTitle: 'Add a webhook',
  urlBegins: 'https://',
  urlHint: 'Receives each event as a signed POST request (Standard Webhooks).',
  eventsHint: 'Select the events that this webhook receives. With none selected, it receives all of them.',
  addButton: 'Add webhook',
  none: 'No webhooks yet',
  noneText: 'A webhook sends events to your own server as they happen, signed and at least once.',
  secretTitle: 'Copy your signing secret',
  secretText: 'It is shown only once. Your server needs it to verify deliveries.',
  copySecret: 'Copy secret',
  deliveries: 'Deliveries',
  deliveriesNone: 'No deliveries yet',
  deliveriesNoneText: 'Send a test event to see one.',
  event: 'Event',
  delivery: 'Delivery',
  attempts: 'Attempts',
  answer: 'Response',
  at: 'Last attempt',
  again: 'Redeliver',
  test: 'Send a test event',
  testSent: 'Test event sent',
  rotate: 'Rotate secret',
  rotateTitle: 'Rotate the signing secret?',
  rotateText: 'Deliveries are also signed with the old secret for 24 hours.',
  remove: 'Delete',
  removeTitle: 'Delete this webhook?',
  removeText: 'Pending deliveries are not sent.',
  enable: 'Enable',
  disable: 'Disable',
  anyStatus: 'Any status',
  filters: 'Filters',
  details: 'Details',
  failing: 'Failing since',
})
