import type { Tag } from '@overture/sdk'
import { useState } from 'react'
import { Form, SelectField, TextField } from '../platform/form/index.ts'
import { findIssue } from '../platform/ui/index.ts'
import { TaggingProgress } from './tagging-progress.tsx'
import type { TagOrder, useTagging } from './tags.actions.ts'
import { text } from './tags.messages.ts'

export interface TagFormProps {
  rows: TagOrder['rows']
  choices: readonly Tag[]
  tagging: ReturnType<typeof useTagging>
}

/** Adds a tag that exists or a new one to resources. */
export function AddTag({ rows, choices, tagging }: TagFormProps) {
  const [tagId, setTagId] = useState('')
  const [name, setName] = useState('')
  const chosen = choices.find(({ id }) => id === tagId) ?? { id: null, name: name.trim() }
  const change = (set: (value: string) => void) => (value: string) => {
    tagging.forget()
    set(value)
  }
  const reset = (): void => {
    setTagId('')
    setName('')
  }
  return (
    <Form
      operation="assignTag"
      submit={() => tagging.begin(tagging.stopped ?? { rows, change: 'assign', tag: chosen }, reset)}
      submitLabel={tagging.stopped === null ? text.assign : text.resume}
      busy={tagging.isPending}
      error={tagging.error}
      reason={chosen.name === '' ? text.chooseOne : null}
    >
      {choices.length > 0 && (
        <SelectField
          label={text.choose}
          value={chosen.id ?? ''}
          disabled={tagging.isPending}
          change={change(setTagId)}
          choices={[{ value: '', label: text.newTag }, ...choices.map((tag) => ({ value: tag.id, label: tag.name }))]}
        />
      )}
      {chosen.id === null && (
        <TextField
          label={text.newTag}
          value={name}
          disabled={tagging.isPending}
          change={change(setName)}
          error={findIssue(tagging.error, 'name')}
        />
      )}
      <TaggingProgress tagging={tagging} />
    </Form>
  )
}
