export { ActivityLines } from './activity-list.tsx'
export { eventTypeChoices } from './choices.ts'
export { eventTypeText } from './events.messages.ts'
