import { z } from 'zod'
import { namedObject } from '../common.ts'

const count = z.number().int()

/** Each count is at the time of its event. */
export const taskCounts = namedObject('TaskCounts', {
  created: count,
  done: count,
  skipped: count,
  overdue: count,
  outcomes: z.record(z.string(), count).meta({ description: 'The number of completed tasks by outcome.' }),
})
