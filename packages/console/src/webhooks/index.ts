export { useWebhooks } from './webhooks.queries.ts'
