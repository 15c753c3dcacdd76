import type { App } from '../platform/app.ts'
import type { Admission } from '../platform/http/admission.ts'
import type { Route } from '../platform/http/route.ts'
import { meRoutes } from './me.routes.ts'
import { sharedPasswords } from './passwords.shell.ts'
import { createProtection } from './protection.shell.ts'
import { signInRoutes } from './sign-in.routes.ts'
import type { UserLeft } from './users.commands.ts'
import { totpRoutes } from './totp.routes.ts'
import { usersRoutes } from './users.routes.ts'

export { createProtection } from './protection.shell.ts'
export { createInvitation, createPasswordLink } from './invitations.shell.ts'
export { createSetupLink } from './links.shell.ts'
export { sendLetter } from './system-mail/send-letter.client.ts'
export { systemMailJobs } from './system-mail/system-mail.jobs.ts'
export { singleSignOnRoutes } from './single-sign-on/single-sign-on.routes.ts'
export { createSessionAdmission, sessionRates, type SessionRates } from './session-admission.shell.ts'
export { listUsableSessionIds } from './sessions.sql.ts'
export { findSession } from './sign-in.shell.ts'
export { teamPeriodic } from './team.worker.ts'
export { totpSecretContext } from './totp.ts'
export { toUser } from './user.ts'
export { changeUser } from './users.commands.ts'
export { findUserAcrossAccounts, listUsersAcrossAccounts } from './users.sql.ts'

export function teamRoutes(
  { config }: App,
  tools: { admission: Pick<Admission, 'forget'>; userLeft: UserLeft },
): Route[] {
  const protection = createProtection({ config })
  return [
    ...signInRoutes(sharedPasswords(config.signIn)),
    ...meRoutes(),
    ...totpRoutes(protection),
    ...usersRoutes({ ...tools, protection }),
  ]
}
