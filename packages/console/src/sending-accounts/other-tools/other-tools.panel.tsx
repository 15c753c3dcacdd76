import type { SendingAccount } from '@overture/sdk'
import { useState } from 'react'
import { Form, NumberField, Pair, SelectField, TextField } from '../../platform/form/index.ts'
import { numberText } from '../../platform/time/format.ts'
import { Button, findIssue, Panel, Row, say } from '../../platform/ui/index.ts'
import { useUpdateSender } from '../senders.actions.ts'
import { text as senderText } from '../senders.messages.ts'
import { text } from './other-tools.messages.ts'

type Rule = SendingAccount['ignoreMail'][number]
const places = ['header', 'subject', 'body'] as const
const rulesMax = 20

/** The messages and the mail of another tool that uses the mailbox, such as one that warms it up. */
export function OtherTools({ sender }: { sender: SendingAccount }) {
  const [reserved, setReserved] = useState<number | null>(sender.reservedPerDay)
  const [rules, setRules] = useState<readonly Rule[]>(sender.ignoreMail)
  const update = useUpdateSender(sender.id, () => say(senderText.saved))
  const change = (index: number, changes: Partial<Rule>): void =>
    setRules(rules.map((rule, at) => (at === index ? { ...rule, ...changes } : rule)))
  return (
    <Panel title={text.title}>
      <p>{text.about}</p>
      <Form
        operation="updateSendingAccount"
        guarded
        submit={() => update.mutate({ reservedPerDay: reserved ?? 0, ignoreMail: [...rules] })}
        submitLabel={text.save}
        busy={update.isPending}
        error={update.error}
      >
        <NumberField
          label={text.reserved}
          hint={text.reservedHint}
          min={0}
          value={reserved}
          change={setReserved}
          error={findIssue(update.error, 'reservedPerDay')}
        />
        {rules.map((rule, index) => (
          <RuleFields
            key={index}
            number={numberText(index + 1)}
            rule={rule}
            change={(changes) => change(index, changes)}
            remove={() => setRules(rules.filter((_rule, at) => at !== index))}
            error={findIssue(update.error, `ignoreMail[${index}].contains`)}
          />
        ))}
        {rules.length < rulesMax && (
          <Row>
            <Button small onClick={() => setRules([...rules, { in: 'header', contains: '' }])}>
              {text.add}
            </Button>
          </Row>
        )}
      </Form>
    </Panel>
  )
}

interface RuleProps {
  number: string
  rule: Rule
  change: (changes: Partial<Rule>) => void
  remove: () => void
  error: string | undefined
}

function RuleFields({ number, rule, change, remove, error }: RuleProps) {
  return (
    <div role="group" aria-label={text.rule(number)}>
      <Pair>
        <SelectField
          label={text.place(number)}
          value={rule.in}
          change={(value) => change({ in: places.find((place) => place === value) ?? 'header' })}
          choices={places.map((value) => ({ value, label: text.places[value] }))}
        />
        <TextField
          label={text.contains(number)}
          hint={text.containsHint}
          value={rule.contains}
          change={(contains) => change({ contains })}
          error={error}
        />
      </Pair>
      <Row>
        <Button small onClick={remove}>
          {text.remove(number)}
        </Button>
      </Row>
    </div>
  )
}
