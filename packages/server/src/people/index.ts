import type { Secrets } from '../platform/crypto/secrets.shell.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { insertFormerLeads } from './former-leads.sql.ts'

export type { PeopleTools } from './people.commands.ts'
export { peopleJobs } from './people.jobs.ts'
export { peopleRoutes } from './people.routes.ts'
export { upsertPeople } from './people.sql.ts'

/** Before leads go with their campaign: remembers whose they were, so that what the log says of them is still found. */
export async function rememberLeads(
  db: Executor,
  tenant: Tenant,
  remember: {
    secrets: Pick<Secrets, 'addressHash'>
    leads: readonly { id: string; email: string; personId: string | null }[]
  },
): Promise<void> {
  const former = remember.leads.map(({ id, email, personId }) => ({
    id,
    personId,
    addressHash: remember.secrets.addressHash(email),
  }))
  if (former.length > 0) await insertFormerLeads(db, tenant, former)
}
