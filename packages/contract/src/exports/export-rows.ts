import { z } from 'zod'
import { campaignDocument } from '../campaigns/campaign-document.ts'
import { campaign } from '../campaigns/campaigns.ts'
import { lead } from '../campaigns/leads.ts'
import { environment, timestamp } from '../common.ts'
import { message } from '../delivery/delivery.ts'
import { eventType } from '../events/events.ts'
import { conversation } from '../inbox/conversations.ts'
import { listMember, personList } from '../lists/lists.ts'
import { meeting } from '../meetings/meetings.ts'
import { person } from '../people/people.ts'
import { sendingAccount } from '../sending-accounts/sending-accounts.ts'
import { suppression } from '../suppressions/suppressions.ts'
import { tag } from '../tags/tags.ts'
import { task } from '../tasks/tasks.ts'
import { actor } from '../team/audit.ts'
import { template } from '../templates/templates.ts'
import type { ExportTable } from './exports.ts'

const exportedCampaign = campaign
  .pick({
    id: true,
    name: true,
    status: true,
    ownerId: true,
    tagIds: true,
    leadCount: true,
    createdAt: true,
    updatedAt: true,
    launchedAt: true,
    completedAt: true,
  })
  .extend({
    /** Can be imported. In a CSV file it is one cell. */
    document: campaignDocument,
  })
export type ExportedCampaign = z.infer<typeof exportedCampaign>

const exportedMessage = z.strictObject({
  ...message.shape,
  campaignId: z.string().nullable(),
  leadId: z.string().nullable(),
  sendingAccountId: z.string(),
  createdAt: timestamp,
})
export type ExportedMessage = z.infer<typeof exportedMessage>

const exportedEvent = z.strictObject({
  id: z.string(),
  type: eventType,
  occurredAt: timestamp,
  environment,
  actor: actor.nullable(),
  data: z.record(z.string(), z.unknown()),
})

/** A row of each table of an export. */
export const exportRows = {
  campaigns: exportedCampaign,
  templates: template,
  sending_accounts: sendingAccount,
  tags: tag,
  lists: personList,
  list_members: z.strictObject({ listId: z.string(), ...listMember.shape }),
  people: person,
  leads: lead,
  suppressions: suppression,
  conversations: conversation,
  messages: exportedMessage,
  meetings: meeting,
  tasks: task,
  events: exportedEvent,
} as const satisfies Record<ExportTable, z.ZodObject>
export type ExportRow<Table extends ExportTable = ExportTable> = z.infer<(typeof exportRows)[Table]>
