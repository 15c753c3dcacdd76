export { ActivityLines } from './activity-list.tsx'
export { eventTypeText } from './events.messages.ts'
