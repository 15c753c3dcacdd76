import type { WebhookDelivery, WebhookStatus } from '@overture/sdk'
import { words } from '../platform/text/words.ts'

const statuses: Readonly<Record<WebhookStatus, string>> = { active: 'Active', failing: 'Failing', disabled: 'Off' }
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
  some: (count: string) => `${count} kinds`,
  status: 'Status',
  add: 'Add a webhook',
  addTitle: 'Add a webhook',
  urlBegins: 'https://',
  urlHint: 'Gets each event as a signed POST (Standard Webhooks).',
  eventsHint: 'None chosen: all of them.',
  addButton: 'Add',
  none: 'No webhooks yet',
  noneText: 'Your own server hears what happens here as it happens, at least once, signed.',
  secretTitle: 'The secret is shown once',
  secretText: 'Keep it where your server can read it: it verifies every delivery.',
  copySecret: 'Copy secret',
  deliveries: 'Deliveries',
  deliveriesNone: 'Nothing was delivered yet',
  deliveriesNoneText: 'Send a test event to see one.',
  event: 'Event',
  delivery: 'Delivery',
  attempts: 'Tries',
  answer: 'Answer',
  at: 'Last try',
  again: 'Deliver again',
  test: 'Send a test event',
  testSent: 'The test event is on its way',
  rotate: 'New secret',
  rotateTitle: 'Make a new secret?',
  rotateText: 'For 24 hours the old one signs too.',
  remove: 'Delete',
  removeTitle: 'Delete this webhook?',
  removeText: 'What has not been delivered yet will not be.',
  enable: 'Turn on',
  disable: 'Turn off',
  anyStatus: 'Any status',
  filters: 'Filters',
  details: 'Details',
  failing: 'Failing since',
})
