import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { MailProof } from '@overture/contract/delivery/delivery.ts'
import type { SenderProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { ReadMessage } from '@overture/mail-reading/reading/read-message.ts'
import { isSharedDomain } from '@overture/ground/company-domain.ts'

/**
 * How a report (a bounce or a complaint) proves that it is about our message. It names the Message-ID, which only a recipient
 * can know, or the mailbox's own provider authenticated the writer. Source: docs/decisions/0021-believe-mail-only-with-proof.md.
 */
export type Proof = MailProof

/**
 * How certain it is that an address in `From` wrote a mail.
 * The proof is `message_id` if the mail names one of our Message-IDs, which only a recipient knows.
 * The proof is `authentication` if the mailbox's provider authenticated the domain.
 * The proof is `unknown` if the provider reports nothing that can be trusted.
 * The proof is `none` if the provider did not authenticate the domain, or put the mail into Junk.
 * Source: docs/contract.md, "Inbox".
 */
export type WriterProof = 'message_id' | 'authentication' | 'unknown' | 'none'

const proven: readonly WriterProof[] = ['message_id', 'authentication']

/**
 * The proofs that allow each consequence of a mail. A consequence that only stops or delays mail to the lead itself needs none and
 * is not listed. Source: docs/contract.md, "Inbox".
 */
const proofsFor = {
  /** Branches and entries of other campaigns can send more mail, now or at a later decision. */
  branches: proven,
  /** A label is a fact on which branches decide. */
  label: proven,
  colleagues: proven,
  reply_to: proven,
  /** A message of uncertain delivery becomes `sent`, and the next step follows. */
  settle: proven,
  /** A permanent opt-out of an address that is not the lead's. */
  opt_out_of_another: ['authentication'],
} as const satisfies Record<string, readonly WriterProof[]>

/** Whether a mail with this proof may have the consequence. */
export function allows(proof: WriterProof, consequence: keyof typeof proofsFor): boolean {
  const proofs: readonly WriterProof[] = proofsFor[consequence]
  return proofs.includes(proof)
}

/** Providers that add their results to every mail and remove results that others wrote in their name. */
const providers = [
  { imap: /(?:^|\.)(?:gmail|googlemail)\.com$/, server: /^mx\.google\.com$/ },
  // Microsoft leaves out the name of its server, and renames such headers that were there before.
  { imap: /^outlook\.office365\.com$/, server: null },
  {
    imap: /^imap\.mail\.yahoo\.com$/,
    server: /^mta\d{1,6}\.(?:[a-z\d-]{1,20}\.){0,3}mail\.[a-z\d]{1,10}\.yahoo\.com$/,
  },
]

/** Only mail servers and their operators write from these addresses. */
const serverAddress = /^(?:mailer-daemon|maildaemon|mdaemon|postmaster|abuse|microsoftexchange[\da-f]{32})@/i

/** The mailbox that a report came to. */
export interface ReportedTo {
  email: string
  /** The host of the server that the mailbox is read from. */
  imapHost: string | null
  /** Whether the mailbox's provider put the mail into Junk. */
  junk: boolean
}

/** Mailboxes that are opened by OAuth have no host in their settings. */
const hostsOfProviders: Partial<Record<SenderProvider, string>> = {
  google: 'imap.gmail.com',
  microsoft: 'outlook.office365.com',
}

export function findImapHost(sender: { provider: SenderProvider; imap: { host: string } | null }): string | null {
  return hostsOfProviders[sender.provider] ?? sender.imap?.host ?? null
}

/** The proof for the only address in `From`. `namesOurs` says whether the mail refers to a message that we sent. */
export function writerProof(
  mail: Pick<ReadMessage, 'from' | 'authentication'>,
  to: ReportedTo,
  { namesOurs }: { namesOurs: boolean },
): WriterProof {
  const from = mail.from.length === 1 ? addressDomain(mail.from[0]!.email) : null
  if (to.junk || from === null) return 'none'
  if (isAuthenticated(mail, to, from)) return 'authentication'
  if (namesOurs) return 'message_id'
  return findProvider(to) === undefined ? 'unknown' : 'none'
}

/** Whether the mailbox's own provider authenticated the address in `From`. Naming one of our Message-IDs does not prove that. */
function isAuthenticated(
  { authentication }: Pick<ReadMessage, 'authentication'>,
  to: ReportedTo,
  domain: string,
): boolean {
  const provider = findProvider(to)
  if (provider === undefined || authentication === null || !isNamed(authentication.server, provider.server))
    return false
  return authentication.domains.some((signed) => areAligned(signed, domain))
}

function findProvider(to: ReportedTo) {
  const host = to.imapHost?.toLowerCase() ?? ''
  return providers.find(({ imap }) => imap.test(host))
}

/** Whether the mailbox's own provider confirms that a mail server of the recipient's or the mailbox's domain wrote this. */
export function isVouchedFor(
  mail: Pick<ReadMessage, 'from' | 'authentication'>,
  to: ReportedTo,
  recipient: string,
): boolean {
  const { authentication } = mail
  const from = mail.from.length === 1 ? mail.from[0]!.email : ''
  if (to.junk || authentication === null || !serverAddress.test(from)) return false
  const provider = findProvider(to)
  if (provider === undefined || !isNamed(authentication.server, provider.server)) return false
  // At a shared mail provider the domain does not identify the writer.
  const concerned = [recipient, to.email].map(addressDomain).filter((one) => one !== null && !isSharedDomain(one))
  return authentication.domains.some(
    (signed) => areAligned(signed, addressDomain(from)!) && concerned.some((domain) => areAligned(signed, domain!)),
  )
}

function isNamed(server: string | null, expected: RegExp | null): boolean {
  return expected === null ? server === null : server !== null && expected.test(server)
}

function addressDomain(address: string): string | null {
  return address.includes('@') ? normalizeEmail(address).domain : null
}

/** Whether two domains are the same or one is below the other. */
function areAligned(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
}
