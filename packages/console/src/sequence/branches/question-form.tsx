import type { ConditionTest, Deed } from '@overture/sdk'
import { deeds, conditionTests } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { interestText } from '../../leads/index.ts'
import { CheckGroup, NumberField, Pair, SelectField, TextField, type Choice } from '../../platform/form/index.ts'
import { TaskQuestion } from '../tasks/task-question.tsx'
import { deedText, intentText, testText, text } from './branches.messages.ts'
import {
  collectLabels,
  newQuestion,
  questionKind,
  questionKinds,
  takesNoValue,
  parseValue,
  valueText,
  withDeed,
  withLabels,
  withPart,
  withTest,
  type AnyCondition,
  type Intent,
  type Label,
  type QuestionKind,
} from './conditions.ts'

/** The messages and fields that a question can refer to. */
export interface Askable {
  /** The steps that send a message, with their names. */
  messages: readonly Choice[]
  /** The steps that a person does. */
  tasks: readonly Choice[]
  fields: readonly string[]
}

export interface QuestionProps {
  value: AnyCondition
  change: (value: AnyCondition) => void
  /** The API's message about a part of the question. */
  issueAt: (part: string) => string | undefined
  askable: Askable
  disabled: boolean
}

export function QuestionForm(props: QuestionProps) {
  const { value, change, disabled, issueAt } = props
  const kind = questionKind(value)
  return (
    <>
      <SelectField
        label={text.ask}
        value={kind}
        disabled={disabled}
        choices={questionKinds.map((one) => ({ value: one, label: text.kinds[one] }))}
        change={(next) => change(newQuestion(next as QuestionKind, props.askable.tasks[0]?.value))}
        error={issueAt('')}
      />
      <Question {...props} kind={kind} />
    </>
  )
}

function Question({ kind, ...props }: QuestionProps & { kind: QuestionKind }) {
  const { value, change, issueAt, disabled } = props
  switch (kind) {
    case 'did':
      return <DeedQuestion {...props} />
    case 'field':
      return <FieldQuestion {...props} />
    case 'interest':
      return (
        <CheckGroup
          label={text.interest}
          disabled={disabled}
          choices={[...toChoices(interestText), { value: 'none', label: text.noLabel }]}
          value={collectLabels(value)}
          change={(labels) => change(withLabels(labels as Label[]))}
          error={issueAt('.interest')}
        />
      )
    case 'intent':
      return (
        <CheckGroup
          label={text.intent}
          disabled={disabled}
          choices={toChoices(intentText)}
          value={value.intent ?? []}
          change={(intents) => change({ intent: intents as Intent[] })}
          error={issueAt('.intent')}
        />
      )
    case 'signal':
      return <SignalQuestion {...props} />
    case 'task':
      return <TaskQuestion {...props} />
    case 'chance':
      return (
        <NumberField
          label={text.chance}
          min={1}
          max={99}
          disabled={disabled}
          value={value.chance ?? null}
          change={(chance) => change({ chance: chance! })}
          error={issueAt('.chance')}
        />
      )
  }
}

function DeedQuestion({ value, change, issueAt, askable, disabled }: QuestionProps) {
  const part = (name: 'times' | 'withinHours') => ({
    label: text[name],
    min: 1,
    optional: true,
    disabled,
    value: value[name] ?? null,
    change: (number: number | null) => change(withPart(value, name, number)),
    error: issueAt(`.${name}`),
  })
  const { stepId = '' } = value
  const gone = stepId !== '' && !askable.messages.some((one) => one.value === stepId)
  return (
    <>
      <Pair>
        <SelectField
          label={text.did}
          disabled={disabled}
          value={value.did ?? ''}
          choices={deeds.map((one) => ({ value: one, label: deedText[one] }))}
          change={(did) => change(withDeed(value, did as Deed))}
          error={issueAt('.did')}
        />
        <SelectField
          label={text.ofStep}
          disabled={disabled}
          value={stepId}
          choices={[
            { value: '', label: text.anyStep },
            ...askable.messages,
            ...(gone ? [{ value: stepId, label: text.gone }] : []),
          ]}
          change={(step) => change(withPart(value, 'stepId', step))}
          error={issueAt('.stepId')}
        />
      </Pair>
      {value.did === 'clicked' && (
        <TextField
          label={text.url}
          hint={text.urlHint}
          optional
          disabled={disabled}
          value={value.url ?? ''}
          change={(url) => change(withPart(value, 'url', url))}
          error={issueAt('.url')}
        />
      )}
      <Pair>
        <NumberField {...part('times')} />
        <NumberField {...part('withinHours')} />
      </Pair>
    </>
  )
}

function FieldQuestion({ value, change, issueAt, askable, disabled }: QuestionProps) {
  const { field = '', is } = value
  const names = [...new Set([...askable.fields, field])].filter((one) => one !== '')
  return (
    <Pair>
      <SelectField
        label={text.field}
        disabled={disabled}
        value={field}
        choices={names.map((name) => ({ value: name, label: name }))}
        change={(name) => change({ ...value, field: name })}
        error={issueAt('.field')}
      />
      <SelectField
        label={text.test}
        disabled={disabled}
        value={is ?? ''}
        choices={conditionTests.map((one) => ({ value: one, label: testText[one] }))}
        change={(test) => change(withTest(value, test as ConditionTest))}
        error={issueAt('.is')}
      />
      {!takesNoValue(is) && <ValueField key={is} {...{ value, change, issueAt, disabled }} />}
    </Pair>
  )
}

/** Keeps the text as typed, since a comma at the end of a list is not a value yet. */
function ValueField({ value, change, issueAt, disabled }: Omit<QuestionProps, 'askable'>) {
  const [typed, setTyped] = useState(() => valueText(value.value))
  const show = (next: string): void => {
    setTyped(next)
    change({ ...value, value: parseValue(next, value.is) })
  }
  return (
    <TextField
      label={text.value}
      {...(value.is === 'in' && { hint: text.valuesHint })}
      disabled={disabled}
      value={typed}
      change={show}
      error={issueAt('.value')}
    />
  )
}

function SignalQuestion({ value, change, issueAt, disabled }: QuestionProps) {
  return (
    <Pair>
      <TextField
        label={text.signal}
        hint={text.signalHint}
        disabled={disabled}
        value={value.signal ?? ''}
        change={(signal) => change({ ...value, signal })}
        error={issueAt('.signal')}
      />
      <NumberField
        label={text.withinDays}
        min={1}
        optional
        disabled={disabled}
        value={value.withinDays ?? null}
        change={(days) => change(withPart(value, 'withinDays', days))}
        error={issueAt('.withinDays')}
      />
    </Pair>
  )
}

function toChoices(names: Readonly<Record<string, string>>): Choice[] {
  return Object.entries(names).map(([value, label]) => ({ value, label }))
}
