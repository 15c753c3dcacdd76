export { secretContext as webhookSecretContext } from './webhooks.commands.ts'
export { webhookRoutes } from './webhooks.routes.ts'
export { createWebhookWorker } from './webhooks.worker.ts'
