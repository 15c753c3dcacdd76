export { DeliverabilityBadge, DomainHealthBadge, SenderStatusBadge } from './badges.tsx'
export { DnsRecordLines } from './domain-health.panel.tsx'
export { useApiWords, useSenders } from './senders.queries.ts'
