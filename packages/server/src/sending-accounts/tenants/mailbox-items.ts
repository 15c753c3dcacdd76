import {
  tenantMailbox,
  type TenantMailbox,
  type TenantMailboxResult,
} from '@overture/contract/sending-accounts/tenant-connections.ts'
import { isStorable, unstorableMessage } from '@overture/ground/text/storable-text.ts'

type ReadMailbox = { kind: 'mailbox'; mailbox: TenantMailbox } | { kind: 'invalid'; result: TenantMailboxResult }

const emailLengthShown = 320

/** Checks one item of a list on its own. */
export function readMailbox(item: unknown, index: number): ReadMailbox {
  const given = typeof item === 'object' && item !== null && 'email' in item ? item.email : null
  const email = typeof given === 'string' && isStorable(given) ? given.slice(0, emailLengthShown) : null
  const invalid = (field: string | null, message: string): ReadMailbox => ({
    kind: 'invalid',
    result: { index, email, outcome: 'invalid', sendingAccountId: null, field, message },
  })
  const parsed = tenantMailbox.safeParse(item)
  if (!parsed.success) {
    const { issues } = parsed.error
    const issue = issues.find(({ path }) => path[0] === 'email') ?? issues[0]
    const path = issue?.path.join('.') ?? ''
    return invalid(path === '' ? null : path, issue?.message ?? 'Send an object with an email, or an email address.')
  }
  for (const [field, value] of Object.entries(parsed.data))
    if (typeof value === 'string' && !isStorable(value)) return invalid(field, unstorableMessage)
  return { kind: 'mailbox', mailbox: parsed.data }
}
