import { dayMs } from '../ground/time/spans.ts'
import type { App } from '../platform/app.ts'
import { deleteOldSearchesAcrossAccounts } from './lead-finder.sql.ts'

export { loadDemoPeople } from './store/demo-people.shell.ts'
export { createLeadFinder, type LeadFinder } from './finder.shell.ts'
export { leadFinderRoutes } from './lead-finder.routes.ts'
export { loadPeopleFile, type LoadProgress } from './store/load.shell.ts'
export { estimateReveal, revealContext, revealForLeads } from './reveal.commands.ts'

/** Forgets which searches were paid for when a repeat is no longer free. */
export const leadFinderPeriodic = [
  {
    name: 'lead_finder.forget_searches',
    everyMs: 3_600_000,
    async run(app: App, now: Date): Promise<void> {
      await deleteOldSearchesAcrossAccounts(app.db, new Date(now.getTime() - 2 * dayMs))
    },
  },
]
