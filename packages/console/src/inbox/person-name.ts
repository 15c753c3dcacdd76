import type { Conversation } from '@overture/sdk'

/** What somebody is called: by name, else by address; mail of nobody known by its subject. */
export function personName({ lead, subject }: Pick<Conversation, 'lead' | 'subject'>): string {
  if (lead === null) return subject
  const name = [lead.firstName, lead.lastName].filter(Boolean).join(' ')
  return name === '' ? lead.email : name
}
