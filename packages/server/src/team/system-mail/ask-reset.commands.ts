import { AppError } from '@overture/contract/errors.ts'
import { findFirstAccountIdAcrossAccounts } from '../../accounts/index.ts'
import type { App } from '../../platform/app.ts'
import { enqueueJob } from '../../platform/jobs/jobs.shell.ts'
import type { SignInRequest } from '../sign-in-audit.commands.ts'
import { beginAttempt } from '../sign-in.commands.ts'
import { normalEmail } from '../user.ts'
import { newResetRequest, resetPasswordKind, sealReset } from './mailed-links.commands.ts'

/** From all networks together, for each request is a mail to the address. */
const requestLimits = { perPairMax: 3, perAddressMax: 3 }

/** Does the same for every address, and looks none up: whether somebody has it is seen by a job, later, alone. */
export async function askForReset(
  app: App,
  email: string,
  request: Pick<SignInRequest, 'client' | 'now'>,
): Promise<void> {
  if (app.config.systemMail === null)
    throw new AppError('SERVICE_UNAVAILABLE', 'This server sends no mail of its own. Ask whoever runs it for a link.')
  const address = normalEmail(email)
  // Counted apart from failures to sign in: asking for a link keeps nobody from their password.
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
