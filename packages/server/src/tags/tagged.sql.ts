/** The tags of a row, as the column `tag_ids`. `id` is an expression that names its id. */
export function tagIdsColumn(id: string): string {
  return `(select coalesce(array_agg(t.tag_id order by t.tag_id), '{}') from taggings t
    where t.account_id = $1 and t.environment = $2 and t.object_id = ${id}) as tag_ids`
}

/** Whether a row has the tag of a parameter, or the parameter is null. */
export function hasTag(parameter: string, id: string): string {
  return `(${parameter}::text is null or exists (select 1 from taggings t
    where t.account_id = $1 and t.environment = $2 and t.tag_id = ${parameter} and t.object_id = ${id}))`
}

/**
 * Whether one of these ids is of a campaign or a sending account with the tag of a parameter. `ids` are expressions with an id or
 * null.
 */
export function campaignOrSenderHasTag(parameter: string, ids: readonly string[]): string {
  const tagged = `(select t.object_id from taggings t
    where t.account_id = $1 and t.environment = $2 and t.tag_id = ${parameter} and t.person_id is null)`
  return `(${ids.map((id) => `${id} in ${tagged}`).join(' or ')})`
}

/** Whether the person with an address has the tag of a parameter. `email` is an expression with a lower-case address. */
export function addressHasTag(parameter: string, email: string): string {
  return `exists (select 1 from people p
    join taggings t on t.account_id = $1 and t.environment = $2 and t.object_id = p.id and t.tag_id = ${parameter}
    where p.account_id = $1 and p.environment = $2 and p.email = ${email})`
}

/** Whether the person of a row has the tag of a parameter. `row` is a relation with the columns `campaign_id` and `lead_id`. */
export function leadHasTag(parameter: string, row: string): string {
  return `exists (select 1 from lead_profiles l
    where l.account_id = $1 and l.environment = $2 and l.campaign_id = ${row}.campaign_id and l.id = ${row}.lead_id
      and ${addressHasTag(parameter, 'l.email')})`
}
