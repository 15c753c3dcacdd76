export { secretContext as webhookSecretContext } from './webhooks.shell.ts'
export { webhookRoutes } from './webhooks.routes.ts'
export { createWebhookWorker } from './webhooks.worker.ts'
