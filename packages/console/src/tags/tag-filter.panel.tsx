import { useState, type ReactElement } from 'react'
import { ChoiceFilter, Filters, useSearchParams } from '../platform/form/index.ts'
import { Button } from '../platform/ui/index.ts'
import { ManageTags } from './manage-tags.panel.tsx'
import { text } from './tags.messages.ts'
import { useTagChoices } from './tags.queries.ts'

/** The filter by tag. Its value is in the URL as `tag`. Beside it the tags are renamed and deleted, if there are any. */
export function TagFilter() {
  const tags = useTagChoices()
  const [params, change] = useSearchParams()
  const [managing, setManaging] = useState(false)
  return (
    <>
      <ChoiceFilter name="tag" label={text.tag} any={text.any} {...tags} />
      {tags.choices.length > 0 && (
        <Button look="quiet" onClick={() => setManaging(true)}>
          {text.manage}
        </Button>
      )}
      <ManageTags
        open={managing}
        close={() => setManaging(false)}
        deleted={(id) => params['tag'] === id && change({ tag: '' })}
      />
    </>
  )
}

/** The filter by tag of a list whose rows have no tags themselves. It is left out while there is nothing to choose. */
export function RelatedTagFilter() {
  return useRelatedTagFilter()
}

/** The same as the only filter of a page. */
export function OnlyTagFilter() {
  const filter = useRelatedTagFilter()
  return filter && <Filters label={text.filters}>{filter}</Filters>
}

function useRelatedTagFilter(): ReactElement | null {
  const tags = useTagChoices()
  const chosen = useSearchParams()[0]['tag']
  if (tags.choices.length === 0 && chosen === undefined) return null
  return <ChoiceFilter name="tag" label={text.tag} any={text.any} {...tags} />
}
