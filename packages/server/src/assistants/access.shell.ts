import type { GrantScope } from '@overture/contract/accounts/grants.ts'
import type { Environment } from '@overture/contract/endpoint.ts'
import type { App } from '../platform/app.ts'
import { grantKeyContext } from './grants.commands.ts'
import { findTokenGrantAcrossAccounts } from './grants.sql.ts'
import { resourceUrl } from './oauth-paths.ts'
import { recordDigest } from './record-key.ts'

const tokenText = /^Bearer ([\w-]{43})$/i

interface AssistantAccess {
  grantId: string
  environment: Environment
  scopes: readonly GrantScope[]
  /** The key of the grant. It never leaves this process. */
  apiKey: string
}

/** Finds what the access token of a request may do. It is read from the database each time, so that an ended grant is refused at once. */
export async function readAssistantAccess(
  app: App,
  authorization: string | undefined,
): Promise<AssistantAccess | null> {
  const token = tokenText.exec(authorization ?? '')?.[1]
  if (token === undefined) return null
  const found = await findTokenGrantAcrossAccounts(app.db, {
    digest: recordDigest(token),
    audience: resourceUrl(app),
    now: app.clock.now(),
  })
  if (found === null) return null
  const { grantId, environment, scopes, sealedKey } = found
  return { grantId, environment, scopes, apiKey: app.secrets.decrypt(sealedKey, grantKeyContext(grantId)) }
}
