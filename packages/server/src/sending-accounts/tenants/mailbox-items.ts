import {
  tenantMailbox,
  type TenantMailbox,
  type TenantMailboxResult,
} from '@overture/contract/sending-accounts/tenant-connections.ts'

type ReadMailbox = { kind: 'mailbox'; mailbox: TenantMailbox } | { kind: 'invalid'; result: TenantMailboxResult }

const emailLengthShown = 320
// PostgreSQL can't store a null character or half of a surrogate pair.
const unstorable = /[\0\p{Surrogate}]/u

/** Checks one item of a list on its own. */
export function readMailbox(item: unknown, index: number): ReadMailbox {
  const given = typeof item === 'object' && item !== null && 'email' in item ? item.email : null
  const email = typeof given === 'string' && !unstorable.test(given) ? given.slice(0, emailLengthShown) : null
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
    if (typeof value === 'string' && unstorable.test(value))
      return invalid(field, 'Contains a null character or half of a surrogate pair.')
  return { kind: 'mailbox', mailbox: parsed.data }
}
