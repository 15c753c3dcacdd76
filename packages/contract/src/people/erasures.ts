import { z } from 'zod'
import { deleted, listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { actor } from '../team/audit.ts'

const kept = namedObject('KeptData', {
  what: z.string(),
  why: z.string(),
})
export type KeptData = z.infer<typeof kept>

export const erasure = namedObject('Erasure', {
  id: z.string(),
  status: z.enum(['running', 'completed']).meta({
    description: 'While it is `running`, the address is still being removed from texts that mention it.',
  }),
  at: timestamp,
  completedAt: timestamp.nullable(),
  actor,
  subjectHash: z.string().meta({
    description:
      'A keyed hash of the address, in hexadecimal. Without the key of this installation it matches no address.',
  }),
  removed: z.record(z.string(), z.number().int()).meta({
    description: 'By table: rows that were deleted, or from which the person was removed.',
  }),
  kept: z.array(kept),
  seal: z.string().nullable().meta({ description: 'A signature of this installation. Null while it is running.' }),
  intact: z.boolean().nullable().meta({
    description: 'Whether the stored record still agrees with its seal. Null while it is running.',
  }),
})
export type Erasure = z.infer<typeof erasure>

export const erasedPerson = deleted.extend({ erasureId: z.string() }).meta({ id: 'ErasedPerson' })

const tag = 'Leads'
const example: Erasure = {
  id: 'ers_1m3q8z0c0n7t5w2k9x',
  status: 'completed',
  at: '2026-11-02T09:30:00.000Z',
  completedAt: '2026-11-02T09:30:04.000Z',
  actor: { type: 'user', id: 'usr_1m3q8z0c0n7t5w2k9x', name: 'Ada Lovelace' },
  subjectHash: '9f2c6a0d8be14f5d0f4f0f4a3c1b7e5d6c8a9b0e1f2d3c4b5a69788796a5b4c3',
  removed: { lead_profiles: 2, message_heads: 5, events: 14, people: 1 },
  kept: [
    {
      what: 'A keyed hash of the address on the suppression list.',
      why: 'Nothing is sent to this address again, even after an import.',
    },
  ],
  seal: 'ODk1Zg.Zm9vYmFy',
  intact: true,
}

export const erasureEndpoints = {
  listErasures: endpoint({
    operationId: 'listErasures',
    call: 'erasures.list',
    method: 'GET',
    path: '/v2/erasures',
    environment: 'both',
    scope: 'read',
    tag,
    summary: 'List the erasures of people',
    description: 'Newest first.',
    query: z.strictObject(pageQuery),
    success: [200],
    output: listOf(erasure),
    examples: {
      output: { results: [example], pagination: { currentPage: 1, totalPages: 1, totalCount: 1 }, nextCursor: null },
    },
  }),
  getErasure: endpoint({
    operationId: 'getErasure',
    call: 'erasures.get',
    method: 'GET',
    path: '/v2/erasures/:id',
    environment: 'both',
    scope: 'read',
    tag,
    summary: 'Get the proof of an erasure',
    description: 'States what was removed, what is kept and why. It contains no data of the person.',
    success: [200],
    output: erasure,
    errors: ['NOT_FOUND'],
    examples: { output: example },
  }),
}
