import type { LeadItem, ListOfPeople } from '@overture/sdk'
import { useState } from 'react'
import { Form, SelectField } from '../platform/form/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Dialog, Note, say, Shown } from '../platform/ui/index.ts'
import { useAddMembers } from './lists.actions.ts'
import { text } from './lists.messages.ts'
import { useLists } from './lists.queries.ts'

interface AddToListProps {
  people: readonly LeadItem[]
  close: () => void
  /** Called after all people were added. */
  done?: () => void
}

/** Adds several people to a list. */
export function AddToList(props: AddToListProps) {
  const lists = useLists()
  return (
    <Dialog title={text.addToList} open close={props.close} foot={null}>
      <Shown of={lists}>{(all) => <ListForm {...props} lists={all} />}</Shown>
    </Dialog>
  )
}

function ListForm({ people, close, done, lists }: AddToListProps & { lists: readonly ListOfPeople[] }) {
  const [chosen, setChosen] = useState('')
  const listId = lists.find(({ id }) => id === chosen)?.id ?? lists[0]?.id ?? ''
  const add = useAddMembers(listId, ({ added, updated, invalid }) => {
    if (added + updated > 0) say(text.addedToList(numberText(added), numberText(updated)))
    if (invalid > 0) return
    close()
    done?.()
  })
  const invalid = add.data?.results.filter(({ outcome }) => outcome === 'invalid') ?? []
  return (
    <Form
      operation="addListMembers"
      submit={() => add.mutate(people)}
      submitLabel={people.length === 1 ? text.addButton : text.addSeveral(numberText(people.length))}
      busy={add.isPending}
      error={add.error}
      reason={lists.length === 0 ? text.noLists : null}
    >
      {people.length === 1 && <p>{people[0]!.email}</p>}
      <SelectField
        label={text.oneList}
        value={listId}
        change={setChosen}
        choices={lists.map(({ id, name }) => ({ value: id, label: name }))}
      />
      {invalid.length > 0 && (
        <Note tone="warn" role="alert">
          <p>{text.notAdded(numberText(invalid.length))}</p>
          <p>
            {invalid[0]!.email} {invalid[0]!.message}
          </p>
        </Note>
      )}
    </Form>
  )
}
