import type { ContactPolicy } from '@overture/contract/contact-policy/contact-policy.ts'
import { ContactBook, type ContactLimits, type Contact, type Exchange } from '@overture/planner/contact-policy.ts'
import type { Secrets } from '../platform/crypto/secrets.shell.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { contactKeys, type ContactFields } from './contact-keys.ts'
import { listCompanyContacts, listCompanyExchanges, listContacts, listExchanges } from './contacts.sql.ts'
import { findPolicy, type StoredPolicy } from './policies.sql.ts'

type AddressHashes = Pick<Secrets, 'addressHash'>

export async function getPolicy(db: Executor, tenant: Tenant): Promise<ContactPolicy> {
  return (await findPolicy(db, tenant)).policy
}

/** Whether any gate of the planner can close by this policy. */
function holdsLeads(policy: ContactPolicy): boolean {
  const { perPerson, perCompany, oneCampaignAtATime, quietAfterReplyDays, conversation } = policy
  return (
    perPerson !== null ||
    perCompany !== null ||
    oneCampaignAtATime ||
    quietAfterReplyDays !== null ||
    conversation !== null
  )
}

/** Whether the tenant has a policy that can hold leads. */
export async function hasHoldingPolicy(db: Executor, tenant: Tenant): Promise<boolean> {
  return holdsLeads(await getPolicy(db, tenant))
}

interface AskedBook {
  secrets: AddressHashes
  leads: readonly ContactFields[]
  /** A policy other than the stored one, for a preview. */
  instead?: ContactPolicy
  /** The stored policy, if it was read already. */
  stored?: StoredPolicy
}

/** Reads what the policy counts about these leads. Null if no gate of the policy can close. */
export async function loadContactBook(db: Executor, tenant: Tenant, input: AskedBook): Promise<ContactBook | null> {
  const stored = input.stored ?? (await findPolicy(db, tenant))
  const policy = input.instead ?? stored.policy
  if (!holdsLeads(policy)) return null
  return readContactBook(db, tenant, { ...input, policy, timezone: stored.timezone })
}

async function readContactBook(
  db: Executor,
  tenant: Tenant,
  { secrets, leads, policy, timezone }: AskedBook & { policy: ContactPolicy; timezone: string },
): Promise<ContactBook> {
  const keys = leads.map(contactKeys)
  const people = new Map(keys.map(({ person }) => [secrets.addressHash(person).toString('hex'), person]))
  const hashes = [...people.keys()].map((hash) => Buffer.from(hash, 'hex'))
  const companies = [...new Set(keys.flatMap(({ company }) => company ?? []))]
  const asksMail = policy.quietAfterReplyDays !== null || policy.conversation !== null
  const [contacts, ofCompanies, exchanges, companyMail] = await Promise.all([
    listContacts(db, tenant, hashes),
    policy.perCompany === null ? [] : listCompanyContacts(db, tenant, { companies, limit: policy.perCompany.people }),
    asksMail ? listExchanges(db, tenant, hashes) : [],
    policy.conversation?.scope === 'company' ? listCompanyExchanges(db, tenant, companies) : [],
  ])
  const mailByCompany = new Map(companyMail.map((row) => [row.company, row]))
  const persons = new Map<string, Person>(
    keys.map(({ person, company }) => {
      const mail = company === null ? undefined : mailByCompany.get(company)
      return [person, { contacts: [], exchange: mail === undefined ? null : toExchange(mail), repliedAtMs: null }]
    }),
  )
  const known = (hash: Buffer) => persons.get(people.get(hash.toString('hex')) ?? '')
  for (const { addressHash, at, ...contact } of contacts)
    known(addressHash)?.contacts.push({ ...contact, atMs: at.getTime() })
  for (const row of exchanges) addExchange(known(row.addressHash), row)
  const times = new Map<string, number[]>()
  for (const { company, at } of ofCompanies) times.set(company, [...(times.get(company) ?? []), at.getTime()])
  return new ContactBook(toContactLimits(policy, timezone), { persons, companies: times })
}

interface Person {
  contacts: Contact[]
  exchange: Exchange | null
  repliedAtMs: number | null
}

function addExchange(person: Person | undefined, row: { at: Date; ofCampaign: boolean } & Omit<Exchange, 'atMs'>) {
  if (person === undefined) return
  if (row.ofCampaign) person.repliedAtMs = row.at.getTime()
  else if (row.at.getTime() > (person.exchange?.atMs ?? -Infinity)) person.exchange = toExchange(row)
}

function toExchange({ at, direction, mailbox }: { at: Date } & Omit<Exchange, 'atMs'>): Exchange {
  return { atMs: at.getTime(), direction, mailbox }
}

function toContactLimits(policy: ContactPolicy, timezone: string): ContactLimits {
  const { perPerson, perCompany, oneCampaignAtATime, quietAfterReplyDays, conversation } = policy
  const conversationDays = conversation?.days ?? null
  return { perPerson, perCompany, oneCampaignAtATime, quietAfterReplyDays, conversationDays, timezone }
}
