import { contactPolicyEndpoints, noContactPolicy } from '@overture/contract/contact-policy/contact-policy.ts'
import type { Transaction } from '../platform/db/database.ts'
import { command, query, type Route } from '../platform/http/route.ts'
import type { Tenant } from '../platform/tenant.ts'
import { getPolicy } from './contact-book.queries.ts'
import { insertPolicy, lockPolicy, updatePolicy } from './policies.sql.ts'

interface ContactPolicyTools {
  /** Called in the same transaction when the policy changed. */
  changed: (tx: Transaction, tenant: Tenant, now: Date) => Promise<void>
}

/** The policy of a new account: after a letter by hand no campaign writes on. */
export async function initialiseContactPolicy(tx: Transaction, tenant: Tenant, now: Date): Promise<void> {
  await insertPolicy(tx, tenant, { policy: { ...noContactPolicy, stopOnManualMail: true }, now })
}

export function contactPolicyRoutes(tools: ContactPolicyTools): Route[] {
  return [
    query(contactPolicyEndpoints.getContactPolicy, ({ app, tenant }) => getPolicy(app.db, tenant)),
    command(contactPolicyEndpoints.updateContactPolicy, async (context, { body }, tx) => {
      const { tenant, now } = context
      await insertPolicy(tx, tenant, { policy: noContactPolicy, now })
      const stored = await lockPolicy(tx, tenant)
      context.was(stored)
      const policy = { ...stored, ...body }
      await updatePolicy(tx, tenant, { policy, now })
      await tools.changed(tx, tenant, now)
      return policy
    }),
  ]
}
