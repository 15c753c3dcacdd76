import { useState } from 'react'
import { ChoiceFilter, Filters, useSearchParams } from '../platform/form/index.ts'
import { Button } from '../platform/ui/index.ts'
import { ManageTags } from './manage-tags.panel.tsx'
import { text } from './tags.messages.ts'
import { useTagChoices } from './tags.queries.ts'

/** The filter by tag. Its value is in the URL as `tag`. Beside it the tags are renamed and deleted, if there are any. */
export function TagFilter() {
  const { choices, unknown } = useTagChoices()
  const [params, change] = useSearchParams()
  const [managing, setManaging] = useState(false)
  return (
    <>
      <ChoiceFilter name="tag" label={text.tag} any={text.any} choices={choices} unknown={unknown} />
      {choices.length > 0 && (
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
  const { choices, unknown } = useTagChoices()
  const isShown = useHasTagFilter()
  return isShown ? (
    <ChoiceFilter name="tag" label={text.tag} any={text.any} choices={choices} unknown={unknown} />
  ) : null
}

/** The same as the only filter of a page. */
export function OnlyTagFilter() {
  return useHasTagFilter() ? (
    <Filters label={text.filters}>
      <RelatedTagFilter />
    </Filters>
  ) : null
}

function useHasTagFilter(): boolean {
  const chosen = useSearchParams()[0]['tag']
  return useTagChoices().choices.length > 0 || chosen !== undefined
}
