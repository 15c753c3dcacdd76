import { useState } from 'react'
import { AreaField, Form, SelectField } from '../../platform/form/index.ts'
import { Button, findIssue } from '../../platform/ui/index.ts'
import { useAddNote } from './notes.actions.ts'
import { text } from './notes.messages.ts'
import { useColleagues, userChoices } from '../../users/index.ts'

/** The button that opens the form of a new note. */
export function AddNote({ conversationId }: { conversationId: string }) {
  const [open, setOpen] = useState(false)
  if (open) return <NoteForm conversationId={conversationId} close={() => setOpen(false)} />
  return (
    <Button small operation="createNote" onClick={() => setOpen(true)}>
      {text.add}
    </Button>
  )
}

function NoteForm({ conversationId, close }: { conversationId: string; close: () => void }) {
  const [typed, setTyped] = useState('')
  const [mentioned, setMentioned] = useState('')
  const colleagues = useColleagues()
  const add = useAddNote(conversationId, close)
  const choices = userChoices(colleagues)
  return (
    <Form
      operation="createNote"
      label={text.form}
      submit={() => add.mutate({ text: typed, ...(mentioned !== '' && { mentions: [mentioned] }) })}
      submitLabel={text.save}
      busy={add.isPending}
      error={add.error}
      reason={typed.trim() === '' ? text.reason : null}
      beside={<Button onClick={close}>{text.cancel}</Button>}
    >
      <AreaField
        label={text.note}
        hint={text.hint}
        autoFocus
        rows={3}
        value={typed}
        change={setTyped}
        error={findIssue(add.error, 'text')}
      />
      <SelectField
        label={text.mention}
        optional
        value={mentioned}
        change={setMentioned}
        choices={[{ value: '', label: '' }, ...choices]}
      />
    </Form>
  )
}
