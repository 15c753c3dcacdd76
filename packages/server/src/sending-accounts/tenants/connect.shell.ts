import { AppError, invalid } from '@overture/contract/errors.ts'
import type { ConnectTenantInput } from '@overture/contract/sending-accounts/tenant-connections.ts'
import type { App } from '../../platform/app.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { readConnection, type EnteredConnection } from './connection-login.ts'
import { sealLogin } from './connection-secrets.shell.ts'
import { loginToken } from './connection-tokens.client.ts'
import { updateConnectionSecrets, updateRefusedSendersDue, upsertApplication } from './tenant-connections.sql.ts'

/** Reads a connection and checks its login at the provider. Throws 400 with the provider's text. Must not run inside a transaction. */
export async function provenConnection(
  app: App,
  tenant: Tenant,
  input: ConnectTenantInput,
): Promise<EnteredConnection> {
  const read = readConnection(input, app.clock.now())
  if (read.kind === 'invalid') throw invalid(read.issue)
  const { connection } = read
  if (tenant.environment === 'test') return connection
  const answer = await loginToken(app, connection.login, connection.mailbox)
  if (answer.kind === 'unavailable')
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      `The provider returned no token. Try again in a minute. ${answer.message}`,
    )
  if (answer.kind === 'refused')
    throw invalid({ path: refusedField(connection, answer), rule: 'refused', message: answer.message })
  return connection
}

const fieldsByCode: Readonly<Record<string, string>> = {
  AADSTS90002: 'tenantId',
  AADSTS900023: 'tenantId',
  AADSTS700016: 'clientId',
}

function refusedField({ secretField }: EnteredConnection, refusal: { code: string; mailbox: boolean }): string {
  return refusal.mailbox ? 'adminEmail' : (fieldsByCode[refusal.code] ?? secretField)
}

/** Stores a connection, or stores the new login of an existing connection of the same application. */
export async function storeConnection(
  app: App,
  tx: Transaction,
  tenant: Tenant,
  { connection, now }: { connection: EnteredConnection; now: Date },
): Promise<{ id: string; isNew: boolean }> {
  const { login, organization, domain, clientId, adminEmail } = connection
  const made = newId('tnc')
  const row = { id: made, provider: login.provider, organization, domain, clientId, adminEmail, now }
  const id = await upsertApplication(tx, tenant, row)
  await updateConnectionSecrets(tx, tenant, id, sealLogin(app.secrets, tenant, id, login))
  if (tenant.environment === 'live') await updateRefusedSendersDue(tx, tenant, id, now)
  return { id, isNew: id === made }
}
