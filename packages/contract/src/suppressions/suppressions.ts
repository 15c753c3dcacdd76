import { z } from 'zod'
import {
  deleted,
  domainSyntax,
  email,
  listOf,
  namedObject,
  pageQuery,
  refuseInvisible,
  timestamp,
  timestampInput,
} from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { suppressionSources } from '../vocabularies.ts'

/** The cause of the suppression. A recipient's own opt-out can't be removed. Source: docs/contract.md, "Inbox". */
export const suppressionSource = z.enum(suppressionSources).meta({ id: 'SuppressionSource' })
export type SuppressionSource = z.infer<typeof suppressionSource>

/**
 * One of `email`, `domain` and `sha256` is set. All are null for an erased person; only a hash is kept. Source: docs/contract.md,
 * "Inbox".
 */
export const suppression = namedObject('Suppression', {
  id: z.string(),
  email: z.string().nullable(),
  domain: z.string().nullable(),
  sha256: z.string().nullable().meta({
    description: 'The SHA-256 of the lower-case address in hexadecimal, if the address itself is not known.',
  }),
  list: z.string().nullable().meta({ description: 'The suppression list with this entry, or null.' }),
  source: suppressionSource,
  reason: z.string().nullable(),
  expiresAt: timestamp.nullable().meta({ description: 'When the suppression ends, or null if it never ends.' }),
  createdAt: timestamp,
})
export type Suppression = z.infer<typeof suppression>

const domainPattern = new RegExp(`^@?${domainSyntax}`, 'u')

/** A domain with or without an `@` in front. */
export const suppressedDomain = z
  .string()
  .trim()
  .max(253)
  .check(refuseInvisible)
  .regex(domainPattern, 'Not a domain name.')

export const suppressionReason = z.string().trim().max(500)

/** The name of a suppression list. A list exists while it has entries. */
export const suppressionListName = z.string().trim().min(1).max(100).check(refuseInvisible)

export const createSuppressionInput = z
  .strictObject({
    email: email.optional(),
    domain: suppressedDomain.optional(),
    reason: suppressionReason.optional(),
    list: suppressionListName.optional().meta({ description: 'Adds the entry to this suppression list.' }),
    expiresAt: timestampInput.optional().meta({ description: 'When the suppression ends. By default it never ends.' }),
  })
  .refine((body) => (body.email === undefined) !== (body.domain === undefined), {
    message: 'Send either email or domain.',
    path: ['email'],
  })
  .meta({ id: 'CreateSuppressionInput' })

export const suppressionEndpoints = {
  listSuppressions: endpoint({
    operationId: 'listSuppressions',
    call: 'suppressions.list',
    method: 'GET',
    path: '/v2/suppressions',
    environment: 'both',
    scope: 'read',
    tag: 'Suppressions',
    summary: 'List suppressed addresses and domains',
    description:
      'Newest first. `q` finds a part of the address or domain. Suppressions that have run out are not listed. An address ' +
      'in several suppression lists has an entry per list.',
    query: z.strictObject({
      ...pageQuery,
      q: z.string().trim().max(200).optional(),
      source: suppressionSource.optional(),
      list: suppressionListName.optional(),
    }),
    success: [200],
    output: listOf(suppression),
  }),
  createSuppression: endpoint({
    operationId: 'createSuppression',
    call: 'suppressions.create',
    method: 'POST',
    path: '/v2/suppressions',
    environment: 'both',
    scope: 'write',
    tag: 'Suppressions',
    summary: 'Suppress an address or a whole domain',
    description:
      'The list is checked when a lead is added and again at the moment of sending. If the address or domain is ' +
      'already suppressed, the existing entry is returned. A domain suppresses every address at exactly that domain. A ' +
      'subdomain needs its own entry. With `list` the entry belongs to that list and has the source `customer`.',
    body: createSuppressionInput,
    success: [201],
    output: suppression,
    examples: { body: { email: 'ada@example.com' } },
  }),
  deleteSuppression: endpoint({
    operationId: 'deleteSuppression',
    call: 'suppressions.delete',
    method: 'DELETE',
    path: '/v2/suppressions/:id',
    environment: 'both',
    scope: 'write',
    role: 'admin',
    tag: 'Suppressions',
    summary: 'Remove a suppression',
    description: "A recipient's own opt-out can't be removed: 409.",
    success: [200],
    output: deleted,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
}
