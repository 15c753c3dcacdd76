import { z } from 'zod'
import { environment, id, listOf, namedObject, pageQuery, timestamp, timestampInput } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** The user, key or other party that did something. */
export const actor = namedObject('AuditActor', {
  type: z.enum(['user', 'key', 'operator', 'recipient', 'system']),
  id: z.string().nullable(),
  name: z.string().nullable(),
})
export type AuditActor = z.infer<typeof actor>

const change = namedObject('AuditChange', {
  path: z.string(),
  /** Null if the value is not stored. For fields of people, texts and secrets only the name is stored. */
  before: z.unknown(),
  after: z.unknown(),
})
export type AuditChange = z.infer<typeof change>

const outcome = z.enum(['success', 'denied'])
export type AuditOutcome = z.infer<typeof outcome>

const auditEntry = namedObject('AuditEntry', {
  id: z.string(),
  at: timestamp,
  /** Null for actions on the account as a whole, such as signing in. */
  environment: environment.nullable(),
  actor,
  /** The operation by its name in the document. For a command of the operator it begins with `operator.`. */
  action: z.string(),
  target: namedObject('AuditTarget', { type: z.string().nullable(), id: z.string().nullable() }),
  outcome,
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  requestId: z.string().nullable(),
  changes: z.array(change),
})
export type AuditEntry = z.infer<typeof auditEntry>

const filters = {
  actorId: id.optional(),
  action: z.string().max(100).optional(),
  targetId: id.optional(),
  from: timestampInput.optional(),
  to: timestampInput.optional(),
}

const example: AuditEntry = {
  id: 'aud_1m3q8z0c0n7t5w2k9x',
  at: '2026-11-02T09:30:00.000Z',
  environment: 'live',
  actor: { type: 'user', id: 'usr_1m3q8z0c0n7t5w2k9x', name: 'Ada Lovelace' },
  action: 'pauseCampaign',
  target: { type: 'campaigns', id: 'cmp_1m3q8z0c0n7t5w2k9x' },
  outcome: 'success',
  ip: '192.0.2.7',
  userAgent: 'Mozilla/5.0',
  requestId: 'req_1m3q8z0c0n7t5w2k9x',
  changes: [],
}

const tag = 'Team'
const filterText =
  'Every write, sign-in, request without permission and export of both environments, newest first. `action` ' +
  'is an operation such as `pauseCampaign`; `to` is exclusive.'

export const auditEndpoints = {
  listAuditLog: endpoint({
    operationId: 'listAuditLog',
    call: 'auditLog.list',
    method: 'GET',
    path: '/v2/audit-log',
    environment: 'live',
    scope: 'admin',
    summary: 'List the audit log',
    description: filterText,
    tag,
    query: z.strictObject({ ...pageQuery, ...filters }),
    success: [200],
    output: listOf(auditEntry),
    examples: {
      output: {
        results: [example],
        pagination: { currentPage: 1, totalPages: 1, totalCount: 1 },
        nextCursor: null,
      },
    },
  }),
  exportAuditLog: endpoint({
    operationId: 'exportAuditLog',
    call: 'auditLog.export',
    method: 'GET',
    path: '/v2/audit-log/export',
    environment: 'live',
    scope: 'admin',
    summary: 'Export the audit log',
    description: `${filterText} Streams all entries as CSV, or with \`format=ndjson\` as one JSON object per line.`,
    tag,
    query: z.strictObject({ ...filters, format: z.enum(['csv', 'ndjson']).default('csv') }),
    exports: true,
    success: [200],
    output: z.unknown().meta({ type: 'string' }),
    outputType: 'text/csv',
    examples: { output: 'id,at\naud_1m3q8z0c0n7t5w2k9x,2026-11-02T09:30:00.000Z\n' },
  }),
}
