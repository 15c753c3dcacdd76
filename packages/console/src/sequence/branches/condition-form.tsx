import { conditionListMax } from '@overture/contract/vocabularies.ts'
import { Trash2 } from 'lucide-react'
import { CheckField, SelectField } from '../../platform/form/index.ts'
import { Button } from '../../platform/ui/index.ts'
import { text } from './branches.messages.ts'
import {
  splitDenial,
  groupKinds,
  readGroup,
  levelsMax,
  newQuestion,
  withDenied,
  type AnyCondition,
  type GroupKind,
} from './conditions.ts'
import { replaceAt } from '../draft.ts'
import { QuestionForm, type Askable } from './question-form.tsx'
import styles from './branches.module.css'

const iconSize = 16

export interface ConditionProps {
  value: AnyCondition
  change: (value: AnyCondition) => void
  /** The API's message about the part at a path within the condition. */
  issueAt: (path: string) => string | undefined
  askable: Askable
  disabled: boolean
}

/** One question, or several in groups. Each can be negated and removed. */
export function ConditionForm({ value, change, ...rest }: ConditionProps) {
  const { inner } = splitDenial(value)
  const more = (): void => change({ all: [value, newQuestion('field')] })
  return (
    <div className={styles['condition']}>
      <ConditionNode {...rest} value={value} change={change} level={0} />
      {readGroup(inner) === null && (
        <div>
          <Button small disabled={rest.disabled} onClick={more}>
            {text.addQuestion}
          </Button>
        </div>
      )}
    </div>
  )
}

interface NodeProps extends ConditionProps {
  /** The number of groups around it. */
  level: number
}

function ConditionNode({ value, change, issueAt, level, ...rest }: NodeProps) {
  const { not, inner, path } = splitDenial(value)
  const group = readGroup(inner)
  const within = (part: string): string | undefined => issueAt(`${path}${part}`)
  const put = (next: AnyCondition): void => change(withDenied(not, next))
  return (
    <div className={styles['node']}>
      {group === null ? (
        <QuestionForm {...rest} value={inner} change={put} issueAt={within} />
      ) : (
        <Group {...rest} {...group} change={put} issueAt={within} level={level} />
      )}
      <CheckField
        label={text.not}
        disabled={rest.disabled}
        checked={not}
        change={(denied) => change(withDenied(denied, inner))}
      />
    </div>
  )
}

function Group({
  kind,
  items,
  change,
  issueAt,
  level,
  ...rest
}: Omit<NodeProps, 'value'> & { kind: GroupKind; items: readonly AnyCondition[] }) {
  const put = (next: readonly AnyCondition[], as: GroupKind = kind): void => change({ [as]: next })
  const full = items.length >= conditionListMax
  return (
    <>
      <SelectField
        label={text.groupKind}
        disabled={rest.disabled}
        value={kind}
        choices={groupKinds.map((one) => ({ value: one, label: text.groupKinds[one] }))}
        change={(next) => put(items, next as GroupKind)}
        error={issueAt('')}
      />
      <ul className={styles['items']}>
        {items.map((item, at) => {
          const isGroup = readGroup(splitDenial(item).inner) !== null
          return (
            <li key={at} aria-label={isGroup ? text.group : text.question}>
              <ConditionNode
                {...rest}
                value={item}
                change={(next) => put(replaceAt(items, at, next))}
                issueAt={(part) => issueAt(`.${kind}[${at}]${part}`)}
                level={level + 1}
              />
              {items.length > 1 && (
                <Button
                  small
                  icon
                  look="quiet"
                  disabled={rest.disabled}
                  aria-label={isGroup ? text.removeGroup : text.removeQuestion}
                  title={isGroup ? text.removeGroup : text.removeQuestion}
                  onClick={() => put(items.filter((_one, index) => index !== at))}
                >
                  <Trash2 size={iconSize} aria-hidden />
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      <div className={styles['tools']}>
        <Button small disabled={rest.disabled || full} onClick={() => put([...items, newQuestion('field')])}>
          {text.addQuestion}
        </Button>
        {level + 1 < levelsMax && (
          <Button
            small
            disabled={rest.disabled || full}
            onClick={() =>
              put([...items, { [kind === 'all' ? 'any' : 'all']: [newQuestion('field'), newQuestion('field')] }])
            }
          >
            {text.addGroup}
          </Button>
        )}
      </div>
    </>
  )
}
