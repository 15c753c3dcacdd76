import type { App } from '../platform/app.ts'
import type { Route } from '../platform/http/route.ts'
import { meRoutes } from './me.routes.ts'
import { createPasswords } from './passwords.shell.ts'
import { signInRoutes } from './sign-in.routes.ts'

export { totpSecretContext } from './totp.ts'
export { createSetupLink } from './links.commands.ts'
export { createSessionAdmission } from './session-admission.shell.ts'
export { listUsableSessionIds } from './sessions.sql.ts'
export { teamPeriodic } from './team.worker.ts'

export function teamRoutes({ config }: App): Route[] {
  return [...signInRoutes(createPasswords(config.signIn)), ...meRoutes()]
}
