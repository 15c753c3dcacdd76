import { afterAll } from 'vitest'
import { takeTimeSpent } from '@overture/testing/time-spent.ts'
import type { TimeSpent } from './run-report.ts'

declare module 'vitest' {
  interface TaskMeta {
    timeSpent?: TimeSpent
  }
}

const before = process.cpuUsage()
takeTimeSpent()

// Registered first, so that it runs last and sees the whole file.
// oxlint-disable-next-line no-empty-pattern -- Vitest requires that the first argument is destructured.
afterAll(({}, suite) => {
  const { user, system } = process.cpuUsage(before)
  suite.meta.timeSpent = { cpuMs: (user + system) / 1000, preparations: takeTimeSpent() }
})
