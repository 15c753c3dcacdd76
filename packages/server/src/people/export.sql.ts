import { withoutLinkTokens } from '@overture/ground/text/link-tokens.ts'
import { readMessageTexts } from '@overture/ground/text/message-texts.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/** The person whose data is exported: the normalised address, all its leads, and its ids in the lead finder. */
interface ExportedPerson {
  email: string
  hash: Buffer
  leadIds: readonly string[]
  personIds: readonly string[]
}

interface ExportedRows {
  leads: object[]
  meetings: object[]
  suppressions: object[]
  drafts: object[]
  decisions: object[]
  tasks: object[]
  generations: object[]
  importRows: object[]
  signals: object[]
  addressChecks: object[]
  notes: object[]
  lists: object[]
  tags: object[]
  replyDrafts: object[]
}

const internal = `'{account_id,environment}'::text[]`
const ofTenant = (alias: string) => `${alias}.account_id = $1 and ${alias}.environment = $2`

/** Everything about a person except messages and reveals, as JSON rows without internal columns. */
export async function exportRows(db: Executor, tenant: Tenant, person: ExportedPerson): Promise<ExportedRows> {
  const rows = await db.query<ExportedRows>(
    `select
       (select coalesce(jsonb_agg(to_jsonb(l) - ${internal} order by l.id), '[]') from leads l
         where ${ofTenant('l')} and l.id = any($4)) as leads,
       (select coalesce(jsonb_agg(to_jsonb(t) - ${internal} order by t.start_at), '[]') from meetings t
         where ${ofTenant('t')} and (t.lead_id = any($4)
           or exists (select 1 from jsonb_array_elements(t.attendees) a where lower(a->>'email') = $5))) as meetings,
       (select coalesce(jsonb_agg(to_jsonb(s) - '{account_id,environment,address_hash}'::text[]), '[]') from suppressions s
         where ${ofTenant('s')} and s.address_hash = $3) as suppressions,
       (select coalesce(jsonb_agg(to_jsonb(d) - ${internal} order by d.id), '[]') from step_drafts d
         where ${ofTenant('d')} and d.lead_id = any($4)) as drafts,
       (select coalesce(jsonb_agg(to_jsonb(d) - ${internal} order by d.lead_id, d.decided_at), '[]') from leads l
         join decisions d on ${ofTenant('d')} and d.campaign_id = l.campaign_id and d.lead_id = l.id
         where ${ofTenant('l')} and l.id = any($4)) as decisions,
       (select coalesce(jsonb_agg(to_jsonb(k) - ${internal} order by k.id), '[]') from tasks k
         where ${ofTenant('k')} and k.lead_id = any($4)) as tasks,
       (select coalesce(jsonb_agg(to_jsonb(g) - ${internal} order by g.id), '[]') from generations g
         where ${ofTenant('g')} and g.lead_id = any($4)) as generations,
       (select coalesce(jsonb_agg(to_jsonb(r) - ${internal} order by r.import_id, r.row_number), '[]') from import_rows r
         where ${ofTenant('r')} and exists (select 1 from unnest(r.fields) f where position($5 in lower(f)) > 0)) as import_rows,
       (select coalesce(jsonb_agg(to_jsonb(g) - ${internal} order by g.id), '[]') from signals g
         where ${ofTenant('g')} and (g.email = $5 or g.lead_id = any($4))) as signals,
       (select coalesce(jsonb_agg(to_jsonb(v) - ${internal} order by v.checked_at), '[]') from address_checks v
         where ${ofTenant('v')} and v.email = $5) as address_checks,
       (select coalesce(jsonb_agg(to_jsonb(n) - ${internal} order by n.created_at), '[]') from threads t
         join conversation_notes n on ${ofTenant('n')} and n.thread_id = t.id
         where ${ofTenant('t')} and t.lead_id = any($4)) as notes,
       (select coalesce(jsonb_agg(to_jsonb(m) - ${internal} order by m.list_id), '[]') from list_members m
         where ${ofTenant('m')} and m.email = $5) as lists,
       (select coalesce(jsonb_agg(to_jsonb(g) - ${internal} order by g.id), '[]') from people p
         join taggings u on ${ofTenant('u')} and u.object_id = p.id join tags g on ${ofTenant('g')} and g.id = u.tag_id
         where ${ofTenant('p')} and p.email = $5) as tags,
       (select coalesce(jsonb_agg(to_jsonb(r) - ${internal} order by r.id), '[]') from threads t
         join reply_drafts r on ${ofTenant('r')} and r.thread_id = t.id
         where ${ofTenant('t')} and t.lead_id = any($4)) as reply_drafts`,
    [tenant.accountId, tenant.environment, person.hash, person.leadIds, person.email],
  )
  return rows[0]!
}

interface SealedReveal {
  personId: string
  field: string
  value: Buffer | null
  creditsCharged: number
  revealedAt: Date
}

export async function listPersonReveals(
  db: Executor,
  tenant: Tenant,
  personIds: readonly string[],
): Promise<SealedReveal[]> {
  return db.query<SealedReveal>(
    `select person_id, field, value, credits_charged, revealed_at from finder_reveals
     where account_id = $1 and environment = $2 and person_id = any($3) order by person_id, field`,
    [tenant.accountId, tenant.environment, personIds],
  )
}

/** Messages of the person's leads, and messages from or to the address that belong to no lead, with their texts. */
export async function exportMessages(db: Executor, tenant: Tenant, person: ExportedPerson): Promise<object[]> {
  const message = `to_jsonb(m) - '{account_id,environment,raw,claimed}'::text[] as message`
  const bytes = `case when m.direction = 'outbound' then m.raw end as raw, m.queued_at, m.id`
  const rows = await db.query<{ message: object; raw: Buffer | null }>(
    `select ${message}, ${bytes} from lead_profiles l
     join messages m on ${ofTenant('m')} and m.campaign_id = l.campaign_id and m.lead_id = l.id
     where ${ofTenant('l')} and l.id = any($3)
     union all
     select ${message}, ${bytes} from messages m
     where ${ofTenant('m')} and m.lead_id is null and (lower(m.from_address->>'email') = $4
       or exists (select 1 from jsonb_array_elements(m.to_addresses) a where lower(a->>'email') = $4))
     order by queued_at, id`,
    [tenant.accountId, tenant.environment, person.leadIds, person.email],
  )
  return rows.map(({ message: row, raw }) =>
    withoutLinkTokens(raw === null ? row : { ...row, ...readMessageTexts(raw) }),
  )
}
