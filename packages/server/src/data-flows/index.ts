/** The receivers of an account's data. */
export { dataFlowRoutes } from './data-flows.routes.ts'
