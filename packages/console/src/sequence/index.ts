export { useModels } from './models.queries.ts'
export { EntryForm } from './branches/entry.panel.tsx'
export { channelText, outcomeText } from './tasks/task-steps.messages.ts'
