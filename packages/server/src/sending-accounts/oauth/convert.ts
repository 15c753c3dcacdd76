import type { ImapServer, OAuthProvider, SmtpServer } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { ProviderServers } from '../sender-servers.ts'
import type { Sender } from '../sending-account.ts'

const hosts: Record<OAuthProvider, RegExp> = {
  google: /(?:^|\.)(?:gmail\.com|googlemail\.com)$/,
  microsoft: /(?:^|\.)(?:office365\.com|outlook\.com|office\.com)$/,
}

/** Returns Google or Microsoft if an account logs in at their servers, else null. */
export function providerOfServers(sender: Pick<Sender, 'provider' | 'smtp'>): OAuthProvider | null {
  if (sender.provider === 'google' || sender.provider === 'microsoft') return sender.provider
  const host = sender.smtp?.host ?? ''
  if (hosts.google.test(host)) return 'google'
  return hosts.microsoft.test(host) ? 'microsoft' : null
}

/** Returns the servers of an account after its conversion to OAuth. A Sent folder that the owner named is kept. */
export function convertedServers(
  { email, imap }: Pick<Sender, 'email' | 'imap'>,
  servers: ProviderServers,
): { smtp: SmtpServer; imap: ImapServer } {
  return {
    smtp: { ...servers.smtp, username: email },
    imap: { ...servers.imap, username: email, sentFolder: imap?.sentFolder ?? null },
  }
}
