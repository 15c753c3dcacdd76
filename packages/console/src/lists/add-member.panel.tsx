import { useState } from 'react'
import { Form, Pair, TextField } from '../platform/form/index.ts'
import { Button, Dialog, Note, say } from '../platform/ui/index.ts'
import { useAddMembers } from './lists.actions.ts'
import { text } from './lists.messages.ts'

const blank = { email: '', firstName: '', lastName: '', company: '' }

/** Adds one person to a list by hand. */
export function AddMember({ listId }: { listId: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button operation="addListMembers" onClick={() => setOpen(true)}>
        {text.addPerson}
      </Button>
      <Dialog title={text.addPerson} open={open} close={() => setOpen(false)} foot={null}>
        <MemberForm listId={listId} close={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function MemberForm({ listId, close }: { listId: string; close: () => void }) {
  const [person, setPerson] = useState(blank)
  const add = useAddMembers(listId, ({ results: [result] }) => {
    if (result === undefined || result.outcome === 'invalid') return
    say(text.personIs[result.outcome](result.email ?? person.email))
    close()
  })
  const result = add.data?.results[0]
  const invalid = result?.outcome === 'invalid' ? result : undefined
  const field = (name: keyof typeof blank) => ({
    value: person[name],
    change(value: string): void {
      add.reset()
      setPerson({ ...person, [name]: value })
    },
    error: invalid?.field === name ? invalid.message : undefined,
  })
  return (
    <Form
      operation="addListMembers"
      submit={() => add.mutate([filled(person)])}
      submitLabel={text.addButton}
      busy={add.isPending}
      error={add.error}
    >
      <p>{text.addPersonHint}</p>
      <TextField label={text.email} type="email" {...field('email')} />
      <Pair>
        <TextField label={text.firstName} optional {...field('firstName')} />
        <TextField label={text.lastName} optional {...field('lastName')} />
      </Pair>
      <TextField label={text.company} optional {...field('company')} />
      {invalid !== undefined && !((invalid.field ?? '') in blank) && (
        <Note tone="warn" role="alert">
          <p>{invalid.message ?? text.notAdded('1')}</p>
        </Note>
      )}
    </Form>
  )
}

/** Without the empty fields, so that a member keeps what the user left empty. */
function filled(person: typeof blank): Partial<typeof blank> {
  return Object.fromEntries(Object.entries(person).filter(([, value]) => value.trim() !== ''))
}
