export { ActivityLines } from './activity-list.tsx'
export { withoutEchoes } from './echoes.ts'
export { eventTypeChoices } from './choices.ts'
export { eventTypeText } from './events.messages.ts'
