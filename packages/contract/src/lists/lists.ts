import { z } from 'zod'
import { customVariables, leadItem, leadProfile } from '../campaigns/lead-fields.ts'
import { checkedLater, namedObject, timestamp } from '../common.ts'

export const listsMax = 1_000
export const membersAtOnceMax = 1_000

const count = z.number().int()
const name = z.string().trim().min(1).max(200)
const description = z.string().max(2_000)

const follower = namedObject('ListFollower', {
  campaignId: z.string(),
  campaignName: z.string(),
  added: count.meta({ description: 'Members that became leads of the campaign.' }),
  skipped: count.meta({ description: 'Members that are suppressed or were leads of the campaign already.' }),
  upToDate: z.boolean().meta({ description: 'Whether the campaign has taken every member.' }),
})

export const personList = namedObject('ListOfPeople', {
  id: z.string(),
  name: z.string(),
  description: z.string(),
  memberCount: count,
  followers: z.array(follower).meta({ description: 'The campaigns that follow the list (`settings.followsListId`).' }),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type PersonList = z.infer<typeof personList>

export const createListInput = namedObject('CreateListInput', { name, description: description.optional() })
export type CreateListInput = z.output<typeof createListInput>

/** Read-only fields may be sent back unchanged. A changed one is refused with 400. */
export const updateListInput = namedObject('UpdateListInput', {
  name: name.optional(),
  description: description.optional(),
  id: z.string().optional(),
  memberCount: z.number().optional(),
  followers: z.array(z.unknown()).optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
})
export type UpdateListInput = z.output<typeof updateListInput>

export const listMember = namedObject('ListMember', {
  email: z.string(),
  ...leadProfile,
  customVariables,
  addedAt: timestamp,
  updatedAt: timestamp,
})
export type ListMember = z.infer<typeof listMember>

export const addMembersInput = namedObject('AddListMembersInput', {
  members: z.array(checkedLater(leadItem)).min(1).max(membersAtOnceMax),
})
export const addMembersOutput = namedObject('AddListMembersResults', {
  added: count,
  updated: count,
  invalid: count,
  results: z.array(
    namedObject('AddListMemberResult', {
      index: count,
      email: z.string().nullable(),
      outcome: z.enum(['added', 'updated', 'invalid']),
      field: z.string().optional().meta({ description: 'The field that makes an item invalid.' }),
      message: z.string().optional().meta({ description: 'The problem of that field, and what to do.' }),
    }),
  ),
})
export type AddMembersOutput = z.infer<typeof addMembersOutput>

export const removeMembersInput = namedObject('RemoveListMembersInput', {
  emails: z.array(z.string().max(320)).min(1).max(membersAtOnceMax),
})
export const removeMembersOutput = namedObject('RemoveListMembersResults', {
  removed: count,
  notFound: z.array(z.string()).meta({ description: 'Addresses that the list does not have.' }),
  stillLeads: z
    .array(namedObject('StillLeads', { campaignId: z.string(), campaignName: z.string(), leads: count }))
    .meta({
      description:
        'The campaigns that follow the list, with the number of removed members that are still their leads. They stay leads; stop ' +
        'them in the campaign.',
    }),
})
export type RemoveMembersOutput = z.infer<typeof removeMembersOutput>

export const listImport = namedObject('ListImport', {
  id: z.string(),
  listId: z.string(),
  status: z.enum(['pending', 'running', 'completed', 'failed']),
  rowsTotal: count.meta({ description: 'Rows of the file without the header.' }),
  rowsRead: count,
  added: count,
  updated: count.meta({ description: 'Rows of members that the list had already, or that are in the file twice.' }),
  failed: count,
  errorsUrl: z.string().nullable(),
  error: z.string().nullable(),
  createdAt: timestamp,
  completedAt: timestamp.nullable(),
})
export type ListImport = z.infer<typeof listImport>
