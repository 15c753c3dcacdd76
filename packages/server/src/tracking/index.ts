/** The public links of a message: opt-out, open pixel and click redirect. */
export { trackingRoutes } from './tracking.routes.ts'
export { appendHits, countHits } from './hits.commands.ts'
export { optOutAddress, recordOptOut, recordUnsubscribe } from './tracking.commands.ts'
