import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { ReportProof } from '@overture/contract/delivery/delivery.ts'
import type { SenderProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { ReadMessage } from '../reading/read-message.ts'
import { isSharedDomain } from './match.ts'

/**
 * What shows that a report (a bounce or a complaint) is about a message of ours: it names its Message-ID, which only who
 * got it can know, or the mailbox's own provider vouches for who wrote it. Source: docs/decisions/0160-forged-reports.md.
 */
export type Proof = ReportProof

/**
 * How sure it is that an address in `From` wrote a mail. `message_id`: it names a Message-ID of ours, which only a recipient
 * knows. `authentication`: the mailbox's provider authenticated the domain. `unknown`: the provider reports nothing that can
 * be trusted. `none`: the provider knows nothing of it, or put the mail into Junk. Source: docs/contract.md, "Inbox".
 */
export type WriterProof = 'message_id' | 'authentication' | 'unknown' | 'none'

/** Providers that write their results on whatever arrives, and take off what others wrote in their name. */
const providers = [
  { imap: /(?:^|\.)(?:gmail|googlemail)\.com$/, server: /^mx\.google\.com$/ },
  // Its name is left out. What stood there before gets another name.
  { imap: /^outlook\.office365\.com$/, server: null },
  {
    imap: /^imap\.mail\.yahoo\.com$/,
    server: /^mta\d{1,6}\.(?:[a-z\d-]{1,20}\.){0,3}mail\.[a-z\d]{1,10}\.yahoo\.com$/,
  },
]

/** Nobody but a mail server, or who runs it, writes from these. */
const serverAddress = /^(?:mailer-daemon|maildaemon|mdaemon|postmaster|abuse|microsoftexchange[\da-f]{32})@/i

/** The mailbox that a report came to. */
export interface ReportedTo {
  email: string
  /** Of the server that the mailbox is read from. */
  imapHost: string | null
  /** Its provider took the mail for junk. */
  junk: boolean
}

/** Mailboxes that are opened by OAuth name no server of theirs. */
const hostsOfProviders: Partial<Record<SenderProvider, string>> = {
  google: 'imap.gmail.com',
  microsoft: 'outlook.office365.com',
}

export function imapHostOf(sender: { provider: SenderProvider; imap: { host: string } | null }): string | null {
  return hostsOfProviders[sender.provider] ?? sender.imap?.host ?? null
}

/** The proof for the one address in `From`. `namesOurs`: the mail refers to a message that we sent. */
export function writerProof(
  mail: Pick<ReadMessage, 'from' | 'authentication'>,
  to: ReportedTo,
  { namesOurs }: { namesOurs: boolean },
): WriterProof {
  const from = mail.from.length === 1 ? domainOf(mail.from[0]!.email) : null
  if (to.junk || from === null) return 'none'
  if (isAuthenticated(mail, to, from)) return 'authentication'
  if (namesOurs) return 'message_id'
  return providerOf(to) === undefined ? 'unknown' : 'none'
}

/** Whether the mailbox's own provider authenticated the address in `From`, which a Message-ID of ours can't show. */
function isAuthenticated(
  { authentication }: Pick<ReadMessage, 'authentication'>,
  to: ReportedTo,
  domain: string,
): boolean {
  const provider = providerOf(to)
  if (provider === undefined || authentication === null || !isNamed(authentication.server, provider.server))
    return false
  return authentication.domains.some((signed) => areAligned(signed, domain))
}

function providerOf(to: ReportedTo) {
  const host = to.imapHost?.toLowerCase() ?? ''
  return providers.find(({ imap }) => imap.test(host))
}

/** Whether the mailbox's own provider vouches that a mail server of the recipient's, or of the mailbox's, domain wrote this. */
export function isVouchedFor(
  mail: Pick<ReadMessage, 'from' | 'authentication'>,
  to: ReportedTo,
  recipient: string,
): boolean {
  const { authentication } = mail
  const from = mail.from.length === 1 ? mail.from[0]!.email : ''
  if (to.junk || authentication === null || !serverAddress.test(from)) return false
  const provider = providerOf(to)
  if (provider === undefined || !isNamed(authentication.server, provider.server)) return false
  // Where strangers have mailboxes side by side, the domain says nothing of who wrote.
  const concerned = [recipient, to.email].map(domainOf).filter((one) => one !== null && !isSharedDomain(one))
  return authentication.domains.some(
    (signed) => areAligned(signed, domainOf(from)!) && concerned.some((domain) => areAligned(signed, domain!)),
  )
}

function isNamed(server: string | null, expected: RegExp | null): boolean {
  return expected === null ? server === null : server !== null && expected.test(server)
}

function domainOf(address: string): string | null {
  return address.includes('@') ? normalizeEmail(address).domain : null
}

/** The same, or one below the other. */
function areAligned(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
}
