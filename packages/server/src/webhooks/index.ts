export { webhookRoutes } from './webhooks.routes.ts'
export { createWebhookWorker } from './webhooks.worker.ts'
