import { restColumn } from '@overture/contract/vocabularies.ts'
import { SelectField } from '../platform/form/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Grow, Lines, Soft } from '../platform/ui/index.ts'
import type { InspectedColumn } from './imports.queries.ts'
import { text } from './imports.messages.ts'

const ignored = ''
const customPrefix = 'customVariables.'

/** The variable name for a column: its title without the characters that a name can't have. */
export function customTarget(title: string, index: number): string {
  const name = title
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '')
  return `${customPrefix}${name === '' ? `column${index + 1}` : name}`
}

/** Whether an earlier or later column becomes the same field. */
function isTwice(targets: readonly (string | null)[], index: number): boolean {
  const target = targets[index] ?? null
  return target !== null && targets.some((one, at) => one === target && at !== index)
}

export function hasTwice(targets: readonly (string | null)[]): boolean {
  return targets.some((_target, index) => isTwice(targets, index))
}

/** Each column with samples, and the field that it becomes. A column without a title and without a value is not shown. */
export function Columns({
  columns,
  targets,
  change,
  custom,
}: {
  columns: readonly InspectedColumn[]
  targets: readonly (string | null)[]
  change: (index: number, target: string | null) => void
  custom: (title: string, index: number) => string
}) {
  return (
    <Lines label={text.columns}>
      {columns.map(({ title, samples, filled, target: guessed }, index) => {
        if (title === '' && filled === 0) return null
        const own = guessed?.startsWith(customPrefix) ? guessed : custom(title, index)
        return (
          <li key={`${title}${index}`}>
            <SelectField
              label={title === '' ? text.untitledBecomes(numberText(index + 1)) : text.columnBecomes(title)}
              error={isTwice(targets, index) ? text.chosenTwice : undefined}
              value={targets[index] ?? ignored}
              change={(value) => change(index, value === ignored ? null : value)}
              choices={[
                { value: ignored, label: text.doNotImport },
                ...(guessed === restColumn ? [{ value: restColumn, label: text.rest }] : []),
                ...Object.entries(text.fields).map(([value, label]) => ({ value, label })),
                { value: own, label: text.customNamed(own.slice(customPrefix.length)) },
              ]}
            />
            <Grow>
              <Soft>{samples.join(', ')}</Soft>
            </Grow>
          </li>
        )
      })}
    </Lines>
  )
}
