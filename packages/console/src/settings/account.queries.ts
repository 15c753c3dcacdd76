import type { Account } from '@overture/sdk'
import { useReading } from '../platform/api/query.ts'

export function useAccount() {
  return useReading<Account>({ key: ['account'], read: (api) => api.account.get() })
}
