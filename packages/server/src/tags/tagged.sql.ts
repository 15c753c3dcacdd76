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
