import { ChoiceFilter } from '../platform/form/index.ts'
import { text } from './tags.messages.ts'
import { useTags } from './tags.queries.ts'

/** The filter by tag. Its value is in the URL as `tag`. */
export function TagFilter() {
  const tags = useTags().data ?? []
  return (
    <ChoiceFilter
      name="tag"
      label={text.tag}
      any={text.any}
      choices={tags.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}
