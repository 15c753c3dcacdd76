import { AppError } from '@overture/contract/errors.ts'
import { findFirstAccountIdAcrossAccounts } from '../../accounts/index.ts'
import type { App } from '../../platform/app.ts'
import { enqueueJob } from '../../platform/jobs/jobs.shell.ts'
import type { SignInRequest } from '../sign-in-audit.commands.ts'
import { beginAttempt } from '../sign-in.shell.ts'
import { normalEmail } from '../user.ts'
import { newResetRequest, resetPasswordKind, sealReset } from './mailed-links.shell.ts'

/** The limit over all networks together, because each request sends a mail to the address. */
const requestLimits = { perPairMax: 3, perAddressMax: 3 }

/** Does the same for every address without a query for the user. A later job finds out whether a user has it. */
export async function askForReset(
  app: App,
  email: string,
  request: Pick<SignInRequest, 'client' | 'now'>,
): Promise<void> {
  if (app.config.systemMail === null)
    throw new AppError('SERVICE_UNAVAILABLE', "This server can't send system mail. Ask the server operator for a link.")
  const address = normalEmail(email)
  // Counted separately from failed sign-ins: requests for a link never lock a person out.
  await beginAttempt(app, `reset ${address}`, request, requestLimits)
  const accountId = await findFirstAccountIdAcrossAccounts(app.db)
  if (accountId === null) return
  await app.db.transaction((tx) =>
    enqueueJob(tx, {
      kind: resetPasswordKind,
      tenant: { accountId, environment: 'live' },
      clock: 'real',
      runAt: request.now,
      payload: { requestId: newResetRequest(), sealed: sealReset(app, address) },
    }),
  )
}
