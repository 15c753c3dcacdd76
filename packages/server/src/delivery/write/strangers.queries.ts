import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { recipientEmails, strangersAmong, type Envelope } from '../plan/recipients.ts'
import { listOwnAddresses, listThreadsOfLeads, listWriters } from '../plan/writers.sql.ts'

interface PersonsMessage extends Envelope {
  id: string
  threadId: string | null
  campaignId: string | null
  leadId: string | null
}

/**
 * Returns, by message, the recipients that neither wrote in a thread of its lead nor belong to the account. Such a recipient
 * makes a reply a follow-up, and the first one gets its opt-out link.
 */
export async function listStrangers(
  db: Executor,
  tenant: Tenant,
  messages: readonly PersonsMessage[],
): Promise<Map<string, string[]>> {
  if (messages.length === 0) return new Map()
  const ofLeads = await listThreadsOfLeads(db, tenant, messages)
  const personThreads = ({ threadId, leadId }: PersonsMessage) =>
    new Set([...(threadId === null ? [] : [threadId]), ...(ofLeads.get(leadId ?? '') ?? [])])
  const threadIds = new Set(messages.flatMap((message) => [...personThreads(message)]))
  const [writers, own] = await Promise.all([
    listWriters(db, tenant, [...threadIds]),
    listOwnAddresses(db, tenant, messages.flatMap(recipientEmails)),
  ])
  return new Map(
    messages.map((message) => {
      const known = [...personThreads(message)].flatMap((id) => writers.get(id) ?? [])
      return [message.id, strangersAmong(message, { writers: known, own })]
    }),
  )
}
