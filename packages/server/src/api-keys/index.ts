import type { App } from '../platform/app.ts'
import type { Admission } from '../platform/http/admission.ts'
import { createMemoryAdmission } from './memory-admission.shell.ts'
import { startNodeAdmission } from './node-admission.shell.ts'
import { createPostgresAdmission } from './postgres-admission.shell.ts'

export { apiKeysRoutes } from './api-keys.routes.ts'
export {
  accessChanged,
  createKey,
  endKey,
  endKeysOfUser,
  keyMayAdminister,
  revokeKey,
  tellCreated,
  tellRevoked,
} from './api-keys.commands.ts'
export { countActiveKeys, listUsableKeyIds } from './api-keys.sql.ts'
export { createMemoryAdmission, createPostgresAdmission, startNodeAdmission }

/** Counts in memory (`all`) or in the database (`api`), regardless of other nodes. For tests and benchmarks. */
export function createAdmission(app: App, role: 'all' | 'api'): Admission {
  return role === 'all' ? createMemoryAdmission(app) : createPostgresAdmission(app)
}
