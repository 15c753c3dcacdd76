export { billingPublicRoutes, billingRoutes } from './billing.routes.ts'
