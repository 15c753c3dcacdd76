/** Public links of a message: opt-out, open pixel, click redirect. */
export { trackingRoutes } from './tracking.routes.ts'
export { optOutAddress, recordHit, recordUnsubscribe } from './tracking.commands.ts'
