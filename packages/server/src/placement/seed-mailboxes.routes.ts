import { notFound } from '@overture/contract/errors.ts'
import {
  seedMailboxEndpoints as api,
  seedMailboxesMax,
  type SeedMailbox,
  type SeedVerification,
} from '@overture/contract/placement/seed-mailboxes.ts'
import { lockAccount } from '../accounts/index.ts'
import type { App } from '../platform/app.ts'
import type { Executor } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { answerList, byId } from '../platform/http/paging.ts'
import { command, phased, query, type Route } from '../platform/http/route.ts'
import type { Tenant } from '../platform/tenant.ts'
import { refused } from './refusals.ts'
import { changedSeed, newSeed, presentSeed, type SeedRow } from './seed-mailbox.ts'
import { verifySeed } from './seed-login.client.ts'
import {
  countSeeds,
  deleteSeed,
  insertSeed,
  listSeeds,
  listSeedsById,
  updateSeed,
  updateSeedChecked,
} from './seed-mailboxes.sql.ts'
import { seedSecretContext } from './seed-secrets.shell.ts'

const simulated: SeedVerification = {
  ok: true,
  message: 'Simulated. The test environment connects to no mail server.',
  spamFolder: 'Junk',
}

export function seedMailboxRoutes(): Route[] {
  return [
    command(api.createSeedMailbox, async ({ app, tenant, now }, { body }, tx) => {
      const { email, imap, password } = newSeed(body, tenant.environment)
      await lockAccount(tx, tenant.accountId)
      if ((await countSeeds(tx, tenant)) >= seedMailboxesMax)
        throw refused(`The limit is ${seedMailboxesMax} seed mailboxes. Delete one first.`, 'too_many')
      const id = newId('sed')
      const secrets = sealed(app, tenant, id, password)
      if (!(await insertSeed(tx, tenant, { id, email, imap, secrets, now })))
        throw refused('There is a seed mailbox with this address.', 'duplicate')
      return presentSeed(await find(tx, tenant, id))
    }),
    query(api.listSeedMailboxes, ({ app, tenant }, { query: listQuery }) =>
      answerList(listQuery, {
        key: byId,
        list: (range) => listSeeds(app.db, tenant, range),
        count: () => countSeeds(app.db, tenant),
        present: (rows) => rows.map(presentSeed),
      }),
    ),
    query(api.getSeedMailbox, async ({ app, tenant }, { params }): Promise<SeedMailbox> =>
      presentSeed(await find(app.db, tenant, params.id)),
    ),
    command(api.updateSeedMailbox, async ({ app, tenant, now }, { params: { id }, body }, tx) => {
      await lockAccount(tx, tenant.accountId)
      const current = await find(tx, tenant, id)
      const { email, imap, password } = changedSeed(current, body)
      await updateSeed(tx, tenant, { id, email, imap, secrets: sealed(app, tenant, id, password), now })
      return presentSeed(await find(tx, tenant, id))
    }),
    command(api.deleteSeedMailbox, async ({ tenant }, { params: { id } }, tx) => {
      if ((await deleteSeed(tx, tenant, id)) === 0) throw notFound()
      return { id, deleted: true as const }
    }),
    phased(api.verifySeedMailbox, async ({ app, tenant, now }, { params: { id } }, answer) => {
      const [seed] = await listSeedsById(app.db, tenant, [id])
      if (seed === undefined) throw notFound()
      const verified = tenant.environment === 'test' ? simulated : await verifySeed(app, tenant, seed)
      const status = verified.ok ? ('working' as const) : ('failing' as const)
      const lastError = verified.ok ? null : verified.message
      return answer(async (tx) => {
        await updateSeedChecked(tx, tenant, { id, status, lastError, now })
        return verified
      })
    }),
  ]
}

async function find(db: Executor, tenant: Tenant, id: string): Promise<SeedRow> {
  const [row] = await listSeedsById(db, tenant, [id])
  if (row === undefined) throw notFound()
  const { secrets: _secrets, ...seed } = row
  return seed
}

function sealed({ secrets }: App, tenant: Tenant, id: string, password: string | null): Buffer | null {
  return password === null ? null : secrets.encrypt(password, seedSecretContext(tenant, id))
}
