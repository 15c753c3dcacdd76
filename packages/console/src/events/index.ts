export { ActivityLines } from './activity-list.tsx'
export { withoutEchoes } from './echoes.ts'
export { eventTypeGroups } from './choices.ts'
export { eventTypeText } from './events.messages.ts'
