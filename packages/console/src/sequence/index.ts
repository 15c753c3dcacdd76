export { EntryForm } from './branches/entry.panel.tsx'
export { channelText, outcomeText } from './tasks/task-steps.messages.ts'
