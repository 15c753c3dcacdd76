import type { Environment } from '@overture/contract/endpoint.ts'

/** Whose rows: every statement on the request path takes one and stands in its `where`. */
export interface Tenant {
  accountId: string
  environment: Environment
}
