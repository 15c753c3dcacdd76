import type { ContactPolicy } from '@overture/sdk'

/** The form's values. A limit that is switched off keeps its numbers until the page is left. */
export interface PolicyFields {
  perPerson: { on: boolean; messages: number | null; days: number | null }
  perCompany: { on: boolean; people: number | null; days: number | null }
  oneCampaignAtATime: boolean
  quiet: { on: boolean; days: number | null }
  conversation: { on: boolean; days: number | null; scope: 'person' | 'company' }
  stopOnManualMail: boolean
}

export function toFields(policy: ContactPolicy): PolicyFields {
  const { perPerson, perCompany, quietAfterReplyDays, conversation } = policy
  return {
    perPerson: { on: perPerson !== null, ...(perPerson ?? { messages: 3, days: 30 }) },
    perCompany: { on: perCompany !== null, ...(perCompany ?? { people: 5, days: 30 }) },
    oneCampaignAtATime: policy.oneCampaignAtATime,
    quiet: { on: quietAfterReplyDays !== null, days: quietAfterReplyDays ?? 14 },
    conversation: { on: conversation !== null, ...(conversation ?? { days: 30, scope: 'person' }) },
    stopOnManualMail: policy.stopOnManualMail,
  }
}

/** Whether every limit that is switched on has a number. */
export function isComplete({ perPerson, perCompany, quiet, conversation }: PolicyFields): boolean {
  const numbers = [
    ...(perPerson.on ? [perPerson.messages, perPerson.days] : []),
    ...(perCompany.on ? [perCompany.people, perCompany.days] : []),
    ...(quiet.on ? [quiet.days] : []),
    ...(conversation.on ? [conversation.days] : []),
  ]
  return numbers.every((number) => number !== null && number >= 1)
}

/** An empty number is sent as 0, which the API refuses with the field's name. */
export function toPolicy(fields: PolicyFields): ContactPolicy {
  const { perPerson, perCompany, quiet, conversation } = fields
  return {
    perPerson: perPerson.on ? { messages: perPerson.messages ?? 0, days: perPerson.days ?? 0 } : null,
    perCompany: perCompany.on ? { people: perCompany.people ?? 0, days: perCompany.days ?? 0 } : null,
    oneCampaignAtATime: fields.oneCampaignAtATime,
    quietAfterReplyDays: quiet.on ? (quiet.days ?? 0) : null,
    conversation: conversation.on ? { days: conversation.days ?? 0, scope: conversation.scope } : null,
    stopOnManualMail: fields.stopOnManualMail,
  }
}
