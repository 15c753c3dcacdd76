import { z } from 'zod'
import { deleted, email, listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { imapPlace, imapPlaceInput } from '../sending-accounts/sending-accounts.ts'

/** Seed mailboxes of one environment. */
export const seedMailboxesMax = 200

export const seedStatuses = ['unverified', 'working', 'failing'] as const
const seedStatus = z.enum(seedStatuses).meta({ id: 'SeedMailboxStatus' })
export type SeedStatus = z.infer<typeof seedStatus>

export const seedMailbox = namedObject('SeedMailbox', {
  id: z.string(),
  email: z.string(),
  imap: imapPlace.nullable().meta({ description: 'Null for a simulated mailbox of the test environment.' }),
  status: seedStatus.meta({ description: '`failing` if it could not be read the last time.' }),
  lastError: z.string().nullable(),
  checkedAt: timestamp.nullable().meta({ description: 'When it was last opened.' }),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type SeedMailbox = z.infer<typeof seedMailbox>

export const createSeedMailboxInput = namedObject('CreateSeedMailboxInput', {
  email,
  imap: imapPlaceInput.optional(),
})
export type CreateSeedMailboxInput = z.infer<typeof createSeedMailboxInput>

export const updateSeedMailboxInput = namedObject('UpdateSeedMailboxInput', {
  email: email.optional(),
  imap: imapPlaceInput.partial().optional(),
})
export type UpdateSeedMailboxInput = z.infer<typeof updateSeedMailboxInput>

export const seedVerification = namedObject('SeedMailboxVerification', {
  ok: z.boolean(),
  message: z.string(),
  spamFolder: z.string().nullable().meta({ description: 'The folder for spam. Null if the server names none.' }),
})
export type SeedVerification = z.infer<typeof seedVerification>

const tag = 'Deliverability'
const common = { environment: 'both', tag } as const
const password =
  'The password is write-only. A change of the server or of the username needs the password again, so that it is sent to no other ' +
  'server than the one that it was given for.'

export const seedMailboxEndpoints = {
  createSeedMailbox: endpoint({
    ...common,
    operationId: 'createSeedMailbox',
    call: 'seedMailboxes.create',
    method: 'POST',
    path: '/v2/seed-mailboxes',
    scope: 'write',
    role: 'admin',
    summary: 'Add a seed mailbox',
    description:
      'A mailbox of your own that receives placement tests. It is only read: no message is moved, marked or answered. `imap` is ' +
      'required in the live environment. Simulated mailboxes of the test environment have an address such as ' +
      `\`anna+spam@seeds.test\`, with \`+inbox\`, \`+tab\`, \`+spam\` or \`+missing\`. ${password} At most ${seedMailboxesMax}.`,
    body: createSeedMailboxInput,
    success: [201],
    output: seedMailbox,
    errors: ['CONFLICT'],
  }),
  listSeedMailboxes: endpoint({
    ...common,
    operationId: 'listSeedMailboxes',
    call: 'seedMailboxes.list',
    method: 'GET',
    path: '/v2/seed-mailboxes',
    scope: 'read',
    summary: 'List seed mailboxes',
    description: 'Newest first.',
    query: z.strictObject(pageQuery),
    success: [200],
    output: listOf(seedMailbox),
  }),
  getSeedMailbox: endpoint({
    ...common,
    operationId: 'getSeedMailbox',
    call: 'seedMailboxes.get',
    method: 'GET',
    path: '/v2/seed-mailboxes/:id',
    scope: 'read',
    summary: 'Get a seed mailbox',
    description: 'Returns the mailbox without its password.',
    success: [200],
    output: seedMailbox,
    errors: ['NOT_FOUND'],
  }),
  updateSeedMailbox: endpoint({
    ...common,
    operationId: 'updateSeedMailbox',
    call: 'seedMailboxes.update',
    method: 'PUT',
    path: '/v2/seed-mailboxes/:id',
    scope: 'write',
    role: 'admin',
    summary: 'Update a seed mailbox',
    description: password,
    body: updateSeedMailboxInput,
    success: [200],
    output: seedMailbox,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  deleteSeedMailbox: endpoint({
    ...common,
    operationId: 'deleteSeedMailbox',
    call: 'seedMailboxes.delete',
    method: 'DELETE',
    path: '/v2/seed-mailboxes/:id',
    scope: 'write',
    role: 'admin',
    summary: 'Delete a seed mailbox',
    description:
      'Results of earlier tests are kept. A result that is still pending ends with the problem `seed_deleted`.',
    success: [200],
    output: deleted,
    errors: ['NOT_FOUND'],
  }),
  verifySeedMailbox: endpoint({
    ...common,
    operationId: 'verifySeedMailbox',
    call: 'seedMailboxes.verify',
    method: 'POST',
    path: '/v2/seed-mailboxes/:id/verify',
    scope: 'write',
    role: 'admin',
    summary: 'Verify a seed mailbox',
    description: 'Logs in over IMAP and looks for the folder for spam. Simulated in the test environment.',
    success: [200],
    output: seedVerification,
    errors: ['NOT_FOUND'],
  }),
}
