export { SenderStatusBadge } from './badges.tsx'
export { useSenders } from './senders.queries.ts'
