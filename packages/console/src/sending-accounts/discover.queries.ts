import type { MailSecurity } from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'

interface FoundServer {
  host: string
  port: number
  security: MailSecurity
  username: string
}

export interface FoundServers {
  email: string
  provider: 'smtp' | 'google' | 'microsoft' | null
  source: 'mx' | 'srv' | 'autoconfig' | 'known' | 'probe' | 'none'
  smtp: FoundServer | null
  imap: FoundServer | null
  oauth: { available: boolean; reason: string | null } | null
  hint: string | null
}

export function useDiscover(done: (found: FoundServers) => void) {
  return useAction<string, FoundServers>({
    act: (api, email) => api.call<FoundServers>('POST', '/v2/sending-accounts/discover', { body: { email } }),
    done,
  })
}
