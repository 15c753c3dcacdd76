import type { PersonSearchResult } from '@overture/sdk'
import { useState } from 'react'
import { useCampaigns } from '../campaigns/index.ts'
import { useAddLeads } from '../leads/index.ts'
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
  const add = useAddLeads(campaign?.id ?? '', ({ added, updated }) => {
    if (added + updated === 0) return
    say(text.added(`${person.firstName} ${person.lastName}`))
    close()
  })
  return (
    <Dialog title={text.addTitle} open close={close} foot={null}>
      <Form
        submit={() => add.mutate([{ ...person, email }])}
        submitLabel={text.addButton}
        busy={add.isPending}
        error={add.error}
        reason={campaign === undefined ? text.noCampaigns : null}
      >
        <p>{email}</p>
        <SelectField
          label={text.campaign}
          value={campaign?.id ?? ''}
          change={setChosen}
          choices={campaigns.map(({ id, name }) => ({ value: id, label: name }))}
        />
        {add.data !== undefined && (
          <Note tone="warn" role="alert">
            <p>{text.notAdded}</p>
          </Note>
        )}
      </Form>
    </Dialog>
  )
}
