import type { AddLeadsResults, LeadItem, Person } from '@overture/sdk'
import { useState } from 'react'
import { useAction } from '../../platform/api/action.ts'
import { Note } from '../../platform/ui/index.ts'
import { elsewhere, withKnown } from './known-person.ts'
import { useAddLeads } from '../leads.actions.ts'

interface Question {
  lead: LeadItem
  sentences: readonly string[]
}

/** Adds a person. Asks first if another campaign writes to the person, or the person answered or booked a meeting there. */
export function useAddPerson(campaignId: string, done: (results: AddLeadsResults) => void) {
  const [question, setQuestion] = useState<Question | null>(null)
  const add = useAddLeads(campaignId, (results) => {
    setQuestion(null)
    done(results)
  })
  const find = useAction<LeadItem, Person | undefined>({
    act: async (api, { email = '' }) => (await api.leads.list({ email, limit: 1 }).page()).results[0],
    done(person, lead) {
      const sentences = person === undefined ? [] : elsewhere(person, campaignId)
      const filled = person === undefined ? lead : withKnown(lead, person)
      if (sentences.length === 0) add.mutate([filled])
      else setQuestion({ lead: filled, sentences })
    },
  })
  return {
    question,
    busy: find.isPending || add.isPending,
    error: add.error ?? find.error,
    results: add.data,
    submit: (lead: LeadItem): void => (question === null ? find.mutate(lead) : add.mutate([question.lead])),
    /** The user changed the person or the campaign, so the question no longer applies. */
    forget: () => setQuestion(null),
  }
}

export function AddQuestion({ question }: { question: Question | null }) {
  if (question === null) return null
  return (
    <Note tone="warn" role="alert">
      {question.sentences.map((one) => (
        <p key={one}>{one}</p>
      ))}
    </Note>
  )
}
