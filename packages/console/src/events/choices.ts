import { typeText } from './events.messages.ts'

export const eventTypeChoices = Object.entries(typeText).map(([value, label]) => ({ value, label }))
