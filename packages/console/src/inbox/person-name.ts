import type { Conversation } from '@overture/sdk'

/** The name of a person, else the address. Mail of an unknown person is named by its subject. */
export function personName({ lead, subject }: Pick<Conversation, 'lead' | 'subject'>): string {
  if (lead === null) return subject
  const name = [lead.firstName, lead.lastName].filter(Boolean).join(' ')
  return name === '' ? lead.email : name
}
