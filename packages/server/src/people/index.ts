import type { Secrets } from '../platform/crypto/secrets.shell.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { insertFormerLeads } from './former-leads.sql.ts'

export type { PeopleTools } from './people.commands.ts'
export { peopleJobs } from './people.jobs.ts'
export { peopleRoutes } from './people.routes.ts'
export { presentPeople } from './people.commands.ts'
export { listPeople, upsertPeople } from './people.sql.ts'

/** Call before leads are deleted with their campaign. Remembers their person, so that an erasure still finds their events. */
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
