import type { Tag } from '@overture/sdk'
import { useState } from 'react'
import { Form, TextField } from '../platform/form/index.ts'
import { usePermissionReason } from '../platform/session/permission.ts'
import { DialogClose } from '../platform/ui/dialog-close.ts'
import {
  Button,
  Confirm,
  Dialog,
  ErrorNote,
  findIssue,
  Grow,
  Lines,
  Row,
  say,
  Shown,
  Soft,
} from '../platform/ui/index.ts'
import { useDeleteTag, useRenameTag } from './tags.actions.ts'
import { text } from './tags.messages.ts'
import { useTags } from './tags.queries.ts'

export interface ManageTagsProps {
  open: boolean
  close: () => void
  deleted: (id: string) => void
}

/** Renames and deletes the tags of the account. */
export function ManageTags({ open, close, deleted }: ManageTagsProps) {
  const tags = useTags()
  const reason = usePermissionReason('updateTag')
  return (
    <Dialog title={text.manage} open={open} close={close}>
      {/* Shown once, and not next to each button. */}
      {reason !== null && <Soft>{reason}</Soft>}
      <Shown of={tags}>
        {(all) => (
          <>
            {all.length === 0 && <Soft>{text.none}</Soft>}
            <Lines label={text.title}>
              {all.map((tag) => (
                <li key={tag.id}>
                  <TagLine tag={tag} deleted={() => deleted(tag.id)} />
                </li>
              ))}
            </Lines>
          </>
        )}
      </Shown>
    </Dialog>
  )
}

function TagLine({ tag, deleted }: { tag: Tag; deleted: () => void }) {
  const [renaming, setRenaming] = useState(false)
  if (renaming)
    return (
      <Grow>
        <DialogClose value={() => setRenaming(false)}>
          <RenameTag tag={tag} close={() => setRenaming(false)} />
        </DialogClose>
      </Grow>
    )
  return (
    <>
      <Grow>{tag.name}</Grow>
      <Row>
        <Button small quietReason operation="updateTag" onClick={() => setRenaming(true)}>
          {text.rename}
          <span className="visually-hidden"> {tag.name}</span>
        </Button>
        <DeleteTag tag={tag} deleted={deleted} />
      </Row>
    </>
  )
}

function RenameTag({ tag, close }: { tag: Tag; close: () => void }) {
  const [name, setName] = useState(tag.name)
  const rename = useRenameTag(tag.id, () => {
    say(text.renamed)
    close()
  })
  return (
    <Form
      operation="updateTag"
      label={text.renameOf(tag.name)}
      submit={() => rename.mutate(name)}
      submitLabel={text.rename}
      busy={rename.isPending}
      error={rename.error}
    >
      <TextField
        label={text.newName(tag.name)}
        autoFocus
        value={name}
        change={setName}
        error={findIssue(rename.error, 'name')}
      />
    </Form>
  )
}

function DeleteTag({ tag, deleted }: { tag: Tag; deleted: () => void }) {
  const [asking, setAsking] = useState(false)
  const remove = useDeleteTag(tag.id, () => {
    say(text.tagDeleted(tag.name))
    setAsking(false)
    deleted()
  })
  return (
    <>
      <Button small quietReason operation="deleteTag" onClick={() => setAsking(true)}>
        {text.delete}
        <span className="visually-hidden"> {tag.name}</span>
      </Button>
      <Confirm
        title={text.deleteTitle}
        open={asking}
        close={() => setAsking(false)}
        danger
        confirmLabel={text.delete}
        busy={remove.isPending}
        confirm={() => remove.mutate()}
      >
        <p>{text.deleteText(tag.name)}</p>
        <ErrorNote error={remove.error} />
      </Confirm>
    </>
  )
}
