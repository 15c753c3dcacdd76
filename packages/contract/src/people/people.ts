import { z } from 'zod'
import { id, listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { activity } from '../events/events-endpoints.ts'
import { leadFields, leadProfile } from '../campaigns/lead-fields.ts'
import { interest, leadStatus } from '../campaigns/leads.ts'
import { tagFilter, tagIds } from '../tags/tags.ts'
import { erasedPerson } from './erasures.ts'

const text = z.string().nullable()

/** One campaign in which a person is a lead. */
const membership = namedObject('PersonCampaign', {
  campaignId: z.string(),
  campaignName: z.string(),
  leadId: z.string(),
  status: leadStatus,
  interest: interest.nullable(),
  currentStep: z.number().int(),
  lastContactedAt: timestamp.nullable(),
  replyCount: z.number().int(),
})

const fields = {
  id: z.string(),
  email: z.string(),
  ...leadProfile,
  customVariables: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  suppressed: z.boolean(),
  tagIds,
  campaigns: z.array(membership),
  lastContactedAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
}

/** A person across campaigns. The fields are those of the most recently changed lead. */
export const person = namedObject('Person', fields)
export type Person = z.infer<typeof person>

export const personWithHistory = namedObject('PersonWithHistory', { ...fields, history: z.array(activity) })

export const updatePersonInput = namedObject('UpdatePersonInput', {
  ...leadFields,
  id: z.string().optional(),
  email: z.string().optional(),
  suppressed: z.boolean().optional(),
  tagIds: z.array(z.string()).optional(),
  campaigns: z.array(z.unknown()).optional(),
  history: z.array(z.unknown()).optional(),
  lastContactedAt: text.optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
})
export type UpdatePersonInput = z.infer<typeof updatePersonInput>

export const personExport = namedObject('PersonExport', {
  exportedAt: timestamp,
  person,
  leads: z.array(z.looseObject({})),
  messages: z.array(z.looseObject({})),
  meetings: z.array(z.looseObject({})),
  suppressions: z.array(z.looseObject({})),
  drafts: z.array(z.looseObject({})),
  decisions: z.array(z.looseObject({})),
  tasks: z.array(z.looseObject({})),
  generations: z.array(z.looseObject({})),
  reveals: z.array(z.looseObject({})),
  importRows: z.array(z.looseObject({})),
  signals: z.array(z.looseObject({})),
  addressChecks: z.array(z.looseObject({})),
  notes: z.array(z.looseObject({})),
  lists: z.array(z.looseObject({})),
  tags: z.array(z.looseObject({})),
  replyDrafts: z.array(z.looseObject({})),
  history: z.array(activity),
})

const tag = 'Leads'

export const peopleEndpoints = {
  listPeople: endpoint({
    operationId: 'listPeople',
    call: 'leads.list',
    method: 'GET',
    path: '/v2/leads',
    environment: 'both',
    scope: 'read',
    tag,
    summary: 'List people across campaigns',
    description: 'Newest first.',
    query: z.strictObject({
      ...pageQuery,
      q: z.string().max(200).optional(),
      email: z.string().max(320).optional(),
      campaignId: id.optional(),
      status: leadStatus.optional(),
      interest: interest.optional(),
      ...tagFilter,
    }),
    success: [200],
    output: listOf(person),
  }),
  getPerson: endpoint({
    operationId: 'getPerson',
    call: 'leads.get',
    method: 'GET',
    path: '/v2/leads/:id',
    environment: 'both',
    scope: 'read',
    tag,
    summary: 'Get a person with history',
    description: 'The id of a campaign lead is accepted as the id of its person.',
    success: [200],
    output: personWithHistory,
    errors: ['NOT_FOUND'],
  }),
  updatePerson: endpoint({
    operationId: 'updatePerson',
    call: 'leads.update',
    method: 'PUT',
    path: '/v2/leads/:id',
    environment: 'both',
    scope: 'write',
    tag,
    summary: 'Update a person in every campaign',
    description: 'Changes the fields that are sent, on the person and on each of its leads.',
    body: updatePersonInput,
    success: [200],
    output: person,
    errors: ['NOT_FOUND'],
  }),
  erasePerson: endpoint({
    operationId: 'erasePerson',
    call: 'leads.erase',
    method: 'DELETE',
    path: '/v2/leads/:id',
    environment: 'both',
    scope: 'admin',
    tag,
    summary: 'Erase a person',
    description:
      'Deletes the person with its leads, messages and meetings, and its address in the log. A hash of the address ' +
      'stays on the suppression list, so that nothing is sent to it again. Counts are kept. `erasureId` is the id of the ' +
      'proof (`GET /v2/erasures/:id`).',
    success: [200],
    output: erasedPerson,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  exportPerson: endpoint({
    operationId: 'exportPerson',
    exports: true,
    call: 'leads.export',
    method: 'GET',
    path: '/v2/leads/:id/export',
    environment: 'both',
    scope: 'admin',
    tag,
    summary: 'Export all that is stored about a person',
    description:
      'Returns leads, messages, conversations, meetings and events in one response. The export is recorded in the ' +
      'audit log.',
    success: [200],
    output: personExport,
    errors: ['NOT_FOUND'],
  }),
}
