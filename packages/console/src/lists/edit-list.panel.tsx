import type { ListOfPeople } from '@overture/sdk'
import { useState } from 'react'
import { Form, TextField } from '../platform/form/index.ts'
import { Button, Dialog, findIssue, say } from '../platform/ui/index.ts'
import { useUpdateList } from './lists.actions.ts'
import { text } from './lists.messages.ts'

export function EditList({ list }: { list: ListOfPeople }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button operation="updateList" onClick={() => setOpen(true)}>
        {text.edit}
      </Button>
      <Dialog title={text.editTitle} open={open} close={() => setOpen(false)} foot={null}>
        <EditForm list={list} close={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function EditForm({ list, close }: { list: ListOfPeople; close: () => void }) {
  const [name, setName] = useState(list.name)
  const [description, setDescription] = useState(list.description)
  const update = useUpdateList(list.id, () => {
    say(text.saved)
    close()
  })
  return (
    <Form
      operation="updateList"
      submit={() => update.mutate({ name, description })}
      submitLabel={text.save}
      busy={update.isPending}
      error={update.error}
    >
      <TextField label={text.name} value={name} change={setName} error={findIssue(update.error, 'name')} />
      <TextField
        label={text.description}
        optional
        value={description}
        change={setDescription}
        error={findIssue(update.error, 'description')}
      />
    </Form>
  )
}
