import type { App } from '../platform/app.ts'
import type { Admission } from '../platform/http/admission.ts'
import { createMemoryAdmission } from './memory-admission.shell.ts'
import { createPostgresAdmission } from './postgres-admission.shell.ts'

export { apiKeysRoutes } from './api-keys.routes.ts'
export { createKey, revokeKey, type NewKey } from './api-keys.commands.ts'
export { countActiveKeys } from './api-keys.sql.ts'
export { createMemoryAdmission, createPostgresAdmission }

/** In memory for a process that is the only API node (role `all`), one database call a request for one of several. */
export function createAdmission(app: App, role: 'all' | 'api'): Admission {
  return role === 'all' ? createMemoryAdmission(app) : createPostgresAdmission(app)
}
