import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import { senderActions, type OAuthProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/admission.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findSender } from '../sending-accounts.sql.ts'
import { providerOfServers } from '@overture/contract/vocabularies.ts'
import { authorizationFor } from './oauth.shell.ts'

interface ConvertRequest {
  id: string
  provider: OAuthProvider | undefined
  returnPath: string | undefined
  caller: Pick<Caller, 'kind' | 'id'>
}

/** Returns a link that converts an account to a login without a password. Throws a 404, 409 or 400. */
export async function startConversion(
  app: App,
  tenant: Tenant,
  { id, provider: givenProvider, ...rest }: ConvertRequest,
) {
  const sender = await findSender(app.db, tenant, id)
  if (sender === null) throw notFound()
  const provider = givenProvider ?? providerOfServers(sender)
  if (sender.provider === 'sandbox' || (sender.provider !== 'smtp' && sender.provider !== provider)) {
    const message = `An account of provider ${sender.provider} can't be converted to ${provider ?? 'Google or Microsoft'}.`
    throw new AppError('CONFLICT', message, {
      currentStatus: sender.status,
      allowedActions: senderActions[sender.status],
    })
  }
  if (provider === null) {
    throw invalid({
      path: 'provider',
      rule: 'required',
      message: 'Set provider to google or microsoft. The servers of this account belong to neither.',
    })
  }
  return authorizationFor(app, tenant, sender, {
    provider,
    caller: rest.caller,
    ...(rest.returnPath === undefined ? {} : { returnPath: rest.returnPath }),
  })
}
