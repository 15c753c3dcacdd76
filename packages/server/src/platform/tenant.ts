import type { Environment } from '@overture/contract/endpoint.ts'

/** The account and environment of rows. Every statement on the request path has them in its `where`. */
export interface Tenant {
  accountId: string
  environment: Environment
}
