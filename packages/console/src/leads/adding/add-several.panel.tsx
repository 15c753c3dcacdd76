import type { AddLeadsResults, LeadItem, Overture, Person } from '@overture/sdk'
import { useState } from 'react'
import { useAction } from '../../platform/api/action.ts'
import { Form } from '../../platform/form/index.ts'
import { numberText } from '../../platform/time/format.ts'
import { Button, Dialog, Note, say } from '../../platform/ui/index.ts'
import { text } from './add-person.messages.ts'
import { CampaignSelect, useCampaignChoice } from './campaign-choice.tsx'
import { sortLeads, type SortedLeads } from './known-person.ts'
import { useAddLeads } from '../leads.actions.ts'

interface AddSeveralProps {
  leads: readonly LeadItem[]
  /** The people behind the leads. Without them each address is looked up. */
  people?: readonly Person[]
  close: () => void
  done?: () => void
}

/** Adds several people to a campaign. Asks first about people who get messages from another campaign or answered there. */
export function AddSeveral({ leads, people, close, done }: AddSeveralProps) {
  const choice = useCampaignChoice()
  const add = useAddSeveral({ campaignId: choice.campaign?.id ?? '', leads, people }, ({ added, updated, results }) => {
    say(text.addedSeveral(numberText(added + updated)))
    if (added + updated < results.length) return
    close()
    done?.()
  })
  const skipped = add.results && add.results.results.length - add.results.added - add.results.updated
  const { question } = add
  const count = numberText(leads.length)
  return (
    <Dialog title={text.addTitle} open close={close} foot={null}>
      <Form
        operation="addCampaignLeads"
        submit={add.submit}
        submitLabel={question === null ? text.addSeveral(count) : text.addAll(count)}
        busy={add.busy}
        error={add.error}
        reason={choice.reason}
        beside={
          question !== null && (
            <Button busy={add.busy} onClick={() => (question.others.length === 0 ? close() : add.leaveOut(question))}>
              {text.leaveOut(numberText(question.elsewhere.length))}
            </Button>
          )
        }
      >
        <CampaignSelect choice={choice} changed={add.forget} />
        {question !== null && <Elsewhere question={question} />}
        {skipped !== undefined && skipped > 0 && (
          <Note tone="warn" role="alert">
            <p>{text.notAddedSeveral(numberText(skipped))}</p>
          </Note>
        )}
      </Form>
    </Dialog>
  )
}

const namedMax = 5

function Elsewhere({ question: { all, elsewhere } }: { question: SortedLeads }) {
  const more = elsewhere.length - namedMax
  return (
    <Note tone="warn" role="alert">
      <p>{text.elsewhere(numberText(elsewhere.length), numberText(all.length))}</p>
      {elsewhere.slice(0, namedMax).map((sentences) => (
        <p key={sentences.join(' ')}>{sentences.join(' ')}</p>
      ))}
      {more > 0 && <p>{text.moreElsewhere(numberText(more))}</p>}
    </Note>
  )
}

interface AddOrder {
  campaignId: string
  leads: readonly LeadItem[]
  people: readonly Person[] | undefined
}

function useAddSeveral({ campaignId, leads, people }: AddOrder, done: (results: AddLeadsResults) => void) {
  const [question, setQuestion] = useState<SortedLeads | null>(null)
  const add = useAddLeads(campaignId, (results) => {
    setQuestion(null)
    done(results)
  })
  const find = useAction<void, readonly Person[]>({
    act: async (api) => people ?? (await findPeople(api, leads)),
    done(found) {
      const sorted = sortLeads(leads, found, campaignId)
      if (sorted.elsewhere.length === 0) add.mutate(sorted.all)
      else setQuestion(sorted)
    },
  })
  return {
    question,
    busy: find.isPending || add.isPending,
    error: add.error ?? find.error,
    results: add.data,
    submit: (): void => (question === null ? find.mutate() : add.mutate(question.all)),
    leaveOut: ({ others }: SortedLeads): void => add.mutate(others),
    /** The user chose another campaign, so the question no longer applies. */
    forget: () => setQuestion(null),
  }
}

/** Reads the people one after the other, as the addresses are revealed: a page has a few dozen. */
async function findPeople(api: Overture, leads: readonly LeadItem[]): Promise<Person[]> {
  const people: Person[] = []
  for (const { email = '' } of leads) {
    const [person] = (await api.leads.list({ email, limit: 1 }).page()).results
    if (person !== undefined) people.push(person)
  }
  return people
}
