import { email as emailSchema } from '@overture/contract/common.ts'
import type { VerificationReason } from '@overture/contract/verification/verification.ts'
import { isObject } from '@overture/ground/json/object.ts'
import type { Verdict } from './verdict.ts'

/** The reply of a provider about one address. `later`: the provider has no result now and may have one after some time. */
export type MailboxReply = { kind: 'verdict'; verdict: Verdict } | { kind: 'later' }

type Body = Readonly<Record<string, unknown>>

/** Reads a reply of ZeroBounce (`/v2/validate`). Its errors have the status 200 and no field `status`. */
export function readZeroBounce(body: Body): MailboxReply {
  const status = body['status']
  const reasons = listed(zeroBounceReasons, body['sub_status'])
  const suggestion = readSuggestion(body['did_you_mean'])
  if (status === 'valid') return verdict({ result: 'deliverable', reasons: [], suggestion })
  if (status === 'invalid') return verdict({ result: 'undeliverable', reasons, suggestion })
  if (status === 'catch-all') return verdict({ result: 'risky', reasons: ['catch_all'], suggestion })
  if (status === 'spamtrap' || status === 'abuse' || status === 'do_not_mail')
    return verdict({ result: 'risky', reasons, suggestion })
  return { kind: 'later' }
}

const zeroBounceReasons: Readonly<Record<string, readonly VerificationReason[]>> = {
  mailbox_not_found: ['mailbox_not_found'],
  mailbox_quota_exceeded: ['mailbox_full'],
  failed_syntax_check: ['syntax'],
  no_dns_entries: ['no_mx'],
  unroutable_ip_address: ['no_mx'],
  does_not_accept_mail: ['null_mx'],
  possible_typo: ['typo'],
  disposable: ['disposable'],
  role_based: ['role'],
  role_based_catch_all: ['role', 'catch_all'],
}

/** Reads a reply of NeverBounce (`/v4.2/single/check`). Its errors have the HTTP status 200 and a `status` that is not `success`. */
export function readNeverBounce(body: Body): MailboxReply {
  if (body['status'] !== 'success') return { kind: 'later' }
  const flags = Array.isArray(body['flags']) ? body['flags'] : []
  const reasons = flags.flatMap((flag) => listed(neverBounceReasons, flag))
  const suggestion = readSuggestion(body['suggested_correction'])
  switch (body['result']) {
    case 'valid':
      return verdict({ result: 'deliverable', reasons, suggestion })
    case 'invalid':
      return verdict({
        result: 'undeliverable',
        reasons: reasons.length > 0 ? reasons : ['mailbox_not_found'],
        suggestion,
      })
    case 'disposable':
      return verdict({ result: 'risky', reasons: ['disposable', ...reasons], suggestion })
    case 'catchall':
      return verdict({ result: 'risky', reasons: ['catch_all', ...reasons], suggestion })
    default:
      return { kind: 'later' }
  }
}

const neverBounceReasons: Readonly<Record<string, readonly VerificationReason[]>> = {
  bad_syntax: ['syntax'],
  bad_dns: ['no_mx'],
  spelling_mistake: ['typo'],
  disposable_email: ['disposable'],
  role_account: ['role'],
  free_email_host: ['free_mail'],
  accepts_all: ['catch_all'],
}

/** Reads a reply of Bouncer (`/v1.1/email/verify`). */
export function readBouncer(body: Body): MailboxReply {
  const [domain, account] = [body['domain'], body['account']].map((part) => (isObject(part) ? part : {}))
  const has = (part: Body | undefined, name: string) => part?.[name] === 'yes'
  const reasons: VerificationReason[] = [
    ...listed(bouncerReasons, body['reason']),
    ...(has(domain, 'acceptAll') ? ['catch_all' as const] : []),
    ...(has(domain, 'disposable') ? ['disposable' as const] : []),
    ...(has(domain, 'free') ? ['free_mail' as const] : []),
    ...(has(account, 'role') ? ['role' as const] : []),
    ...(has(account, 'fullMailbox') ? ['mailbox_full' as const] : []),
  ]
  const { status } = body
  if (status !== 'deliverable' && status !== 'risky' && status !== 'undeliverable') return { kind: 'later' }
  return verdict({ result: status, reasons, suggestion: readSuggestion(body['didYouMean']) })
}

const bouncerReasons: Readonly<Record<string, readonly VerificationReason[]>> = {
  invalid_email: ['syntax'],
  invalid_domain: ['no_mx'],
  rejected_email: ['mailbox_not_found'],
}

function verdict({ reasons, ...rest }: Verdict): MailboxReply {
  return { kind: 'verdict', verdict: { ...rest, reasons: [...new Set(reasons)] } }
}

/** The reasons for a word of a provider. A word that is not known gives none. */
function listed(table: Readonly<Record<string, readonly VerificationReason[]>>, word: unknown): VerificationReason[] {
  return typeof word === 'string' && Object.hasOwn(table, word) ? [...(table[word] ?? [])] : []
}

function readSuggestion(given: unknown): string | null {
  const read = emailSchema.safeParse(given)
  return read.success ? read.data.toLowerCase() : null
}
