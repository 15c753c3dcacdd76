export { SenderStatusBadge } from './badges.tsx'
export { useApiWords, useSenders } from './senders.queries.ts'
