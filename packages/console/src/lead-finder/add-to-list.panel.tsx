import type { PersonSearchResult } from '@overture/sdk'
import { useState } from 'react'
import { useAddMembers, useLists } from '../lists/index.ts'
import { Form, SelectField } from '../platform/form/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Dialog, Note, say, Shown } from '../platform/ui/index.ts'
import { text } from './finder.messages.ts'

interface AddToListProps {
  /** The people, with their revealed addresses. */
  people: readonly (PersonSearchResult & { email: string })[]
  close: () => void
}

/** Adds people that were found to a list of people. */
export function AddToList(props: AddToListProps) {
  const lists = useLists()
  return (
    <Dialog title={text.addToList} open close={props.close} foot={null}>
      <Shown of={lists}>{(all) => <ListForm {...props} lists={all} />}</Shown>
    </Dialog>
  )
}

function ListForm({ people, close, lists }: AddToListProps & { lists: readonly { id: string; name: string }[] }) {
  const [chosen, setChosen] = useState('')
  const listId = lists.find(({ id }) => id === chosen)?.id ?? lists[0]?.id ?? ''
  const add = useAddMembers(listId, ({ added, updated, invalid }) => {
    if (added + updated > 0) say(text.addedToList(numberText(added), numberText(updated)))
    if (invalid === 0) close()
  })
  const refused = add.data?.results.filter(({ outcome }) => outcome === 'invalid') ?? []
  return (
    <Form
      operation="addListMembers"
      submit={() => add.mutate([...people])}
      submitLabel={text.addButton}
      busy={add.isPending}
      error={add.error}
      reason={lists.length === 0 ? text.noLists : null}
    >
      <p>{people.length === 1 ? people[0]!.email : text.selected(numberText(people.length))}</p>
      <SelectField
        label={text.peopleList}
        value={listId}
        change={setChosen}
        choices={lists.map(({ id, name }) => ({ value: id, label: name }))}
      />
      {refused.length > 0 && (
        <Note tone="warn" role="alert">
          <p>{text.invalidMembers(numberText(refused.length))}</p>
          <p>{refused[0]!.message}</p>
        </Note>
      )}
    </Form>
  )
}
