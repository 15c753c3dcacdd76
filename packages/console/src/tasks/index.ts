export { useDueTasks } from './tasks.queries.ts'
export { text as tasksText } from './tasks.messages.ts'
