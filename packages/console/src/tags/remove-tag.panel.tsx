import { useState } from 'react'
import { Form, SelectField } from '../platform/form/index.ts'
import type { TagFormProps } from './add-tag.panel.tsx'
import { TaggingProgress } from './tagging-progress.tsx'
import { text } from './tags.messages.ts'

/** Removes a tag from resources. */
export function RemoveTag({ rows, choices, tagging }: TagFormProps) {
  const [tagId, setTagId] = useState('')
  const tag = choices.find(({ id }) => id === tagId)
  return (
    <Form
      operation="unassignTag"
      submit={() => tag !== undefined && tagging.begin(tagging.stopped ?? { rows, change: 'unassign', tag })}
      submitLabel={tagging.stopped === null ? text.unassign : text.resume}
      busy={tagging.isPending}
      error={tagging.error}
      reason={tag === undefined ? text.chooseOne : null}
    >
      <SelectField
        label={text.chooseToRemove}
        value={tagId}
        disabled={tagging.isPending}
        change={(value) => {
          tagging.forget()
          setTagId(value)
        }}
        choices={[{ value: '', label: text.chooseOne }, ...choices.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <TaggingProgress tagging={tagging} />
    </Form>
  )
}
