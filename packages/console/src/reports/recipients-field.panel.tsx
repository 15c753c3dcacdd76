import { type Choice, CheckGroup } from '../platform/form/index.ts'
import { useColleagues } from '../users/index.ts'
import { text } from './reports.messages.ts'

interface RecipientsFieldProps {
  /** The recipients before the change. They can stay, also if they are not active any more. */
  before: readonly string[]
  value: readonly string[]
  change: (recipients: string[]) => void
  error: string | undefined
}

/** The users who get the mail, chosen by name. */
export function RecipientsField({ before, value, change, error }: RecipientsFieldProps) {
  const colleagues = useColleagues()
  const choices = [
    ...colleagues
      .filter(({ id, status }) => status === 'active' || before.includes(id))
      .map(({ id, name, status }): Choice => ({
        value: id,
        label: status === 'active' ? name : text.disabledUser(name),
      })),
    ...before
      .filter((id) => !colleagues.some((one) => one.id === id))
      .map((id): Choice => ({ value: id, label: text.otherUser })),
  ]
  return (
    <>
      <CheckGroup label={text.recipients} choices={choices} value={value} change={change} error={error} />
      <p>{text.recipientsHint}</p>
    </>
  )
}
