import type { ImapServer, OAuthProvider, SmtpServer } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { ProviderServers } from '../sender-servers.ts'
import type { Sender } from '../sending-account.ts'

const hosts: Record<OAuthProvider, RegExp> = {
  google: /(?:^|\.)(?:gmail\.com|googlemail\.com)$/,
  microsoft: /(?:^|\.)(?:office365\.com|outlook\.com|office\.com)$/,
}

/** Google or Microsoft, if that is where an account logs in. */
export function providerOfServers(sender: Pick<Sender, 'provider' | 'smtp'>): OAuthProvider | null {
  if (sender.provider === 'google' || sender.provider === 'microsoft') return sender.provider
  const host = sender.smtp?.host ?? ''
  if (hosts.google.test(host)) return 'google'
  return hosts.microsoft.test(host) ? 'microsoft' : null
}

/** The servers of an account that logs in by OAuth from now on. A folder for sent mail that its owner named stays. */
export function convertedServers(
  { email, imap }: Pick<Sender, 'email' | 'imap'>,
  servers: ProviderServers,
): { smtp: SmtpServer; imap: ImapServer } {
  return {
    smtp: { ...servers.smtp, username: email },
    imap: { ...servers.imap, username: email, sentFolder: imap?.sentFolder ?? null },
  }
}
