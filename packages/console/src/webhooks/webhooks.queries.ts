import type { Webhook, WebhookDelivery } from '@overture/sdk'
import { useReading, type ListReading } from '../platform/api/query.ts'

/** No event reports the result of a delivery, so deliveries are polled. */
const againMs = 2_000

export function useWebhooks() {
  return useReading({ key: ['webhooks', 'some'], read: (api) => api.webhooks.list({ limit: 100 }).page() })
}

export function useWebhook(id: string) {
  return useReading<Webhook>({
    key: ['webhooks', 'one', id],
    read: (api, signal) => api.webhooks.get(id, { signal }),
    againMs: () => againMs,
  })
}

export function deliveryList(id: string, status: WebhookDelivery['status'] | undefined): ListReading<WebhookDelivery> {
  return {
    key: ['webhooks', 'deliveries', id, status],
    page: (api, place) => api.webhooks.deliveries.list(id, { ...place, ...(status && { status }) }).page(),
    againMs,
  }
}
