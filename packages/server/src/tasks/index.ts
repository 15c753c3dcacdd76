/** The public interface of tasks for other features. */
export { closeTaskOfText, type TaskTools } from './tasks.commands.ts'
export { presentTask } from './task.ts'
export { listTasks } from './tasks.sql.ts'
export { taskJobs } from './tasks.jobs.ts'
export { taskRoutes } from './tasks.routes.ts'
