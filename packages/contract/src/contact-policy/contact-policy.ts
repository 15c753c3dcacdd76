import { z } from 'zod'
import { blockedReason } from '../campaigns/leads.ts'
import { namedObject } from '../common.ts'
import { endpoint } from '../endpoint.ts'

const days = z.number().int().min(1).max(365)

export const contactPolicy = namedObject('ContactPolicy', {
  perPerson: namedObject('ContactLimitPerPerson', { messages: z.number().int().min(1).max(1000), days })
    .nullable()
    .meta({ description: 'The most messages of campaigns that a person gets in this many days.' }),
  perCompany: namedObject('ContactLimitPerCompany', { people: z.number().int().min(1).max(1000), days })
    .nullable()
    .meta({ description: 'The most people of a company that get their first message in this many days.' }),
  oneCampaignAtATime: z.boolean().meta({
    description: 'The campaign that wrote to a person first keeps the person until that lead ends.',
  }),
  quietAfterReplyDays: days.nullable().meta({
    description: 'After a reply to any campaign, no campaign writes to the person for this many days.',
  }),
  conversation: namedObject('ContactConversation', { days, scope: z.enum(['person', 'company']) })
    .nullable()
    .meta({
      description:
        'No campaign writes to a person, or to a company, that exchanged mail outside of campaigns with a connected ' +
        'mailbox within this many days.',
    }),
  stopOnManualMail: z.boolean().meta({
    description: "Stops a lead when a person writes to it from a sending account's mailbox.",
  }),
})
export type ContactPolicy = z.infer<typeof contactPolicy>

/** The policy of an account that has set none. */
export const noContactPolicy: ContactPolicy = {
  perPerson: null,
  perCompany: null,
  oneCampaignAtATime: false,
  quietAfterReplyDays: null,
  conversation: null,
  stopOnManualMail: false,
}

export const updateContactPolicyInput = contactPolicy.partial().meta({ id: 'UpdateContactPolicyInput' })

export const contactPolicyPreview = namedObject('ContactPolicyPreview', {
  leads: z
    .number()
    .int()
    .meta({ description: 'The leads of running campaigns whose next message is due by the end of today.' }),
  held: z.array(namedObject('ContactPolicyHeld', { reason: blockedReason, count: z.number().int() })).meta({
    description: 'How many of them the policy would hold back, by the first gate.',
  }),
  byCampaign: z.array(
    namedObject('ContactPolicyHeldByCampaign', {
      campaignId: z.string(),
      name: z.string(),
      leads: z.number().int(),
      held: z.number().int(),
    }),
  ),
  partial: z.boolean().meta({ description: 'Whether there are more campaigns or leads than were counted.' }),
})
export type ContactPolicyPreview = z.infer<typeof contactPolicyPreview>

const example: ContactPolicy = {
  perPerson: { messages: 3, days: 30 },
  perCompany: { people: 5, days: 30 },
  oneCampaignAtATime: true,
  quietAfterReplyDays: 14,
  conversation: { days: 30, scope: 'person' },
  stopOnManualMail: true,
}

export const contactPolicyEndpoints = {
  getContactPolicy: endpoint({
    operationId: 'getContactPolicy',
    call: 'account.contactPolicy.get',
    method: 'GET',
    path: '/v2/account/contact-policy',
    environment: 'both',
    scope: 'admin',
    role: 'admin',
    summary: 'Get the contact policy',
    description:
      'Returns the limits that hold over all campaigns of the environment. Null means that there is no limit.',
    tag: 'Account',
    success: [200],
    output: contactPolicy,
    examples: { output: example },
  }),
  updateContactPolicy: endpoint({
    operationId: 'updateContactPolicy',
    call: 'account.contactPolicy.update',
    method: 'PUT',
    path: '/v2/account/contact-policy',
    environment: 'both',
    scope: 'admin',
    role: 'admin',
    summary: 'Update the contact policy',
    description:
      'Changes the fields that are sent. Days are whole days of the time zone of the account, including today. The policy applies ' +
      'to every message of a campaign that is sent from now on, also to those sent with "send now". Messages sent before count.',
    tag: 'Account',
    body: updateContactPolicyInput,
    success: [200],
    output: contactPolicy,
    examples: { body: { perPerson: { messages: 3, days: 30 } }, output: example },
  }),
  previewContactPolicy: endpoint({
    operationId: 'previewContactPolicy',
    call: 'account.contactPolicy.preview',
    method: 'POST',
    path: '/v2/account/contact-policy/preview',
    environment: 'both',
    scope: 'admin',
    role: 'admin',
    summary: 'Preview a contact policy',
    description:
      'Returns how many leads of running campaigns the policy would hold back today. Fields that are not sent keep their stored ' +
      'values. Nothing is changed.',
    tag: 'Account',
    body: updateContactPolicyInput,
    success: [200],
    output: contactPolicyPreview,
    examples: {
      body: { perPerson: { messages: 3, days: 30 } },
      output: {
        leads: 120,
        held: [{ reason: 'person_limit', count: 14 }],
        byCampaign: [{ campaignId: 'cmp_1m3q8z0c0n7t5w2k9x', name: 'Autumn', leads: 120, held: 14 }],
        partial: false,
      },
    },
  }),
}
