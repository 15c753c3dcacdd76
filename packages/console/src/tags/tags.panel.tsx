import type { Tag } from '@overture/sdk'
import { useState } from 'react'
import { Form, SelectField, TextField } from '../platform/form/index.ts'
import { Button, ErrorNote, Grow, findIssue, Lines, Panel, Shown, Soft } from '../platform/ui/index.ts'
import { useAddNewTag, useChangeTag } from './tags.actions.ts'
import { text } from './tags.messages.ts'
import { useTags } from './tags.queries.ts'

/** The tags of a campaign, a person or a sending account. */
export function TagsPanel({ id, tagIds }: { id: string; tagIds: readonly string[] }) {
  const tags = useTags()
  const change = useChangeTag(id)
  return (
    <Panel title={text.title}>
      <Shown of={tags}>
        {(all) => (
          <>
            {all.length === 0 && <Soft>{text.none}</Soft>}
            <Lines label={text.title}>
              {all
                .filter((tag) => tagIds.includes(tag.id))
                .map((tag) => (
                  <li key={tag.id}>
                    <Grow>{tag.name}</Grow>
                    <Button
                      small
                      operation="unassignTag"
                      busy={change.isPending}
                      onClick={() => change.mutate({ tagId: tag.id, change: 'unassign' })}
                    >
                      {text.remove(tag.name)}
                    </Button>
                  </li>
                ))}
            </Lines>
            <ErrorNote error={change.error} />
            <AddTag id={id} others={all.filter((tag) => !tagIds.includes(tag.id))} />
          </>
        )}
      </Shown>
    </Panel>
  )
}

/** Adds a tag that exists or a new one. */
function AddTag({ id, others }: { id: string; others: readonly Tag[] }) {
  const [tagId, setTagId] = useState('')
  const [name, setName] = useState('')
  const assign = useChangeTag(id)
  const create = useAddNewTag(id, () => setName(''))
  const submit = (): void =>
    tagId === '' ? create.mutate(name) : assign.mutate({ tagId, change: 'assign' }, { onSuccess: () => setTagId('') })
  return (
    <Form
      operation="assignTag"
      submit={submit}
      submitLabel={text.assign}
      busy={assign.isPending || create.isPending}
      error={assign.error ?? create.error}
      reason={tagId === '' && name.trim() === '' ? text.chooseOne : null}
    >
      {others.length > 0 && (
        <SelectField
          label={text.choose}
          value={tagId}
          change={setTagId}
          choices={[{ value: '', label: text.newTag }, ...others.map((tag) => ({ value: tag.id, label: tag.name }))]}
        />
      )}
      {tagId === '' && (
        <TextField label={text.newTag} value={name} change={setName} error={findIssue(create.error, 'name')} />
      )}
    </Form>
  )
}
