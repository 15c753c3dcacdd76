import type { PersonSearchResult } from '@overture/sdk'
import { useState } from 'react'
import { useCampaigns } from '../campaigns/index.ts'
import { AddQuestion, addPersonText, useAddPerson } from '../leads/index.ts'
import { Form, SelectField } from '../platform/form/index.ts'
import { Dialog, Note, say } from '../platform/ui/index.ts'
import { text } from './finder.messages.ts'

/** Adds a person that was found, with the revealed address, to a campaign. */
export function AddToCampaign({
  person,
  email,
  close,
}: {
  person: PersonSearchResult
  email: string
  close: () => void
}) {
  const campaigns = useCampaigns().data?.results ?? []
  const [chosen, setChosen] = useState('')
  const campaign = campaigns.find(({ id }) => id === chosen) ?? campaigns[0]
  const add = useAddPerson(campaign?.id ?? '', ({ added, updated }) => {
    if (added + updated === 0) return
    say(text.added(`${person.firstName} ${person.lastName}`))
    close()
  })
  return (
    <Dialog title={text.addTitle} open close={close} foot={null}>
      <Form
        submit={() => add.submit({ ...person, email })}
        submitLabel={add.question === null ? text.addButton : addPersonText.addAnyway}
        busy={add.busy}
        error={add.error}
        reason={campaign === undefined ? text.noCampaigns : null}
      >
        <p>{email}</p>
        <SelectField
          label={text.campaign}
          value={campaign?.id ?? ''}
          change={(id) => {
            add.forget()
            setChosen(id)
          }}
          choices={campaigns.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <AddQuestion question={add.question} />
        {add.results !== undefined && (
          <Note tone="warn" role="alert">
            <p>{text.notAdded}</p>
          </Note>
        )}
      </Form>
    </Dialog>
  )
}
