import type {
  ConnectTenantInput,
  ConnectTenantMailboxesInput,
  TenantConnection,
  TenantMailboxResults,
  Verification,
} from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import type { ListReading } from '../platform/api/query.ts'
import { say } from '../platform/ui/index.ts'
import { text } from './organizations.messages.ts'

const stale = () => [['organizations'], ['senders'], ['campaigns']]

export function organizationList(): ListReading<TenantConnection> {
  return { key: ['organizations', 'list'], page: (api, place) => api.tenantConnections.list(place).page() }
}

export function organizationName({ domain, tenantId, id }: TenantConnection): string {
  return domain ?? tenantId ?? id
}

export function useConnectOrganization(done: (connection: TenantConnection) => void) {
  return useAction<ConnectTenantInput, TenantConnection>({
    act: (api, body) => api.tenantConnections.create(body),
    stale,
    done: (connection) => {
      say(text.connected(organizationName(connection)))
      done(connection)
    },
  })
}

export function useVerifyOrganization(id: string) {
  return useAction<string, Verification>({ act: (api, email) => api.tenantConnections.verify(id, { email }), stale })
}

export function useAddMailboxes(id: string) {
  return useAction<ConnectTenantMailboxesInput, TenantMailboxResults>({
    act: (api, body) => api.tenantConnections.addMailboxes(id, body),
    stale,
  })
}

export function useRemoveOrganization(id: string) {
  return useAction({ act: (api) => api.tenantConnections.delete(id), stale, done: () => say(text.removed) })
}
