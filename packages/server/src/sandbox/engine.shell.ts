import { deliverClaimed, runPlanning, VirtualPlanner, type DeliveryTools } from '../delivery/index.ts'
import type { JobHandler } from '../platform/jobs/job.ts'
import type { Engine } from './virtual-world.ts'

/** The production engine under the virtual clock. `jobs` is asked late: its list holds the test environment's own. */
export function createEngine(delivery: DeliveryTools, jobs: () => readonly JobHandler[]): Engine {
  return {
    async send(tenant, { now, leaseToken, failed }) {
      const { claimed, token } = await runPlanning(delivery, tenant, now, { heldToken: leaseToken })
      if (claimed > 0)
        await deliverClaimed(delivery, tenant, { now, token, ...(failed !== undefined && { signal: failed }) })
      return claimed
    },
    openPlanner: (tenant, { failed, ...options }) =>
      new VirtualPlanner(delivery, tenant, {
        ...options,
        deliver: (claim) => deliverClaimed(delivery, tenant, { ...claim, signal: failed }),
      }),
    jobs,
  }
}
