export { useUnread } from './inbox.queries.ts'
