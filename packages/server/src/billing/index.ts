export { billingPublicRoutes, billingRoutes } from './billing.routes.ts'
export { paymentsUrl } from './stripe.client.ts'
