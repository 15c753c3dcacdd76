export { useSenders } from './senders.queries.ts'
