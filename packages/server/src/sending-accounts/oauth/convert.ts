import type { ImapServer, SmtpServer } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { ProviderServers } from '../sender-servers.ts'
import type { Sender } from '../sending-account.ts'

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
