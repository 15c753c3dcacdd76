import type { Overture } from '@overture/sdk'
import type { RestrictedOperation } from '@overture/contract/team/operation-roles.ts'
import { useState } from 'react'
import { useAction } from '../../platform/api/action.ts'
import { Form, NumberField } from '../../platform/form/index.ts'
import { numberText } from '../../platform/time/format.ts'
import { findIssue, say, Soft } from '../../platform/ui/index.ts'
import { text } from './budget.messages.ts'

export interface RecipientBudgetProps {
  operation: RestrictedOperation
  budget: { dailyExternalRecipients: number | null; suggestedDailyExternalRecipients: number | null }
  save: (api: Overture, dailyExternalRecipients: number | null) => PromiseLike<unknown>
  /** The query whose data contains the budget. */
  stale: readonly unknown[]
  done?: () => void
}

/** The number of recipients per day that the sending accounts of an organization or a domain share. */
export function RecipientBudget({ operation, budget, save, stale, done }: RecipientBudgetProps) {
  const { dailyExternalRecipients, suggestedDailyExternalRecipients: suggested } = budget
  const [count, setCount] = useState(dailyExternalRecipients)
  const update = useAction<number | null>({
    act: save,
    stale: () => [stale],
    done: () => {
      say(text.saved)
      done?.()
    },
  })
  return (
    <Form
      operation={operation}
      narrow
      submit={() => update.mutate(count)}
      submitLabel={text.save}
      busy={update.isPending}
      error={update.error}
    >
      <NumberField
        label={text.label}
        hint={text.hint}
        optional
        min={1}
        value={count}
        change={setCount}
        error={findIssue(update.error, 'dailyExternalRecipients')}
      />
      {suggested !== null && <Soft>{text.suggested(numberText(suggested))}</Soft>}
    </Form>
  )
}
