import type { PersonSearchResult } from '@overture/sdk'
import { AddQuestion, addPersonText, CampaignSelect, useAddPerson, useCampaignChoice } from '../leads/index.ts'
import { Form } from '../platform/form/index.ts'
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
  const choice = useCampaignChoice()
  const add = useAddPerson(choice.campaign?.id ?? '', ({ added, updated }) => {
    if (added + updated === 0) return
    say(text.added(`${person.firstName} ${person.lastName}`))
    close()
  })
  return (
    <Dialog title={text.addTitle} open close={close} foot={null}>
      <Form
        operation="addCampaignLeads"
        submit={() => add.submit({ ...person, email })}
        submitLabel={add.question === null ? text.addButton : addPersonText.addAnyway}
        busy={add.busy}
        error={add.error}
        reason={choice.reason}
      >
        <p>{email}</p>
        <CampaignSelect choice={choice} changed={add.forget} />
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
