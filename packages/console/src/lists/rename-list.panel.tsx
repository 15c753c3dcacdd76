import type { ListOfPeople } from '@overture/sdk'
import { useState } from 'react'
import { Form, TextField } from '../platform/form/index.ts'
import { Button, Dialog, findIssue, say } from '../platform/ui/index.ts'
import { useRenameList } from './lists.actions.ts'
import { text } from './lists.messages.ts'

export function RenameList({ list }: { list: ListOfPeople }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button operation="updateList" onClick={() => setOpen(true)}>
        {text.rename}
      </Button>
      <Dialog title={text.renameTitle} open={open} close={() => setOpen(false)} foot={null}>
        <RenameForm list={list} close={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function RenameForm({ list, close }: { list: ListOfPeople; close: () => void }) {
  const [name, setName] = useState(list.name)
  const rename = useRenameList(list.id, () => {
    say(text.renamed)
    close()
  })
  return (
    <Form
      operation="updateList"
      submit={() => rename.mutate(name)}
      submitLabel={text.rename}
      busy={rename.isPending}
      error={rename.error}
    >
      <TextField label={text.name} value={name} change={setName} error={findIssue(rename.error, 'name')} />
    </Form>
  )
}
