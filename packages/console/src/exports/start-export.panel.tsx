import type { CreateExportInput } from '@overture/sdk'
import { useState } from 'react'
import { CheckGroup, Form, Pair, SelectField, TextField } from '../platform/form/index.ts'
import { dayAfter, dayStart } from '../platform/time/days.ts'
import { useTenantTime } from '../platform/time/now.tsx'
import { findIssue, Panel, say } from '../platform/ui/index.ts'
import { tableText, text, type ExportFile } from './exports.messages.ts'
import { useCreateExport } from './exports.queries.ts'

type Table = ExportFile['table']
type Format = CreateExportInput['format']

const allTables = Object.keys(tableText) as Table[]
const formats: readonly Format[] = ['csv', 'ndjson']

/** The form that starts an export of all or some kinds of data. */
export function StartExport({ runs }: { runs: boolean }) {
  const { zone } = useTenantTime()
  const [isAll, setAll] = useState(true)
  const [tables, setTables] = useState<readonly Table[]>([])
  const [format, setFormat] = useState<Format>('csv')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const create = useCreateExport(() => say(text.started))
  const submit = (): void =>
    create.mutate({
      ...(isAll ? { all: true as const } : { tables: [...tables] }),
      format,
      ...(from !== '' && { from: dayStart(from, zone) }),
      ...(to !== '' && { to: dayStart(dayAfter(to, 1), zone) }),
    })
  const reason = runs ? text.runs : !isAll && tables.length === 0 ? text.chooseTables : null
  return (
    <Panel title={text.start}>
      <p>{text.lead}</p>
      <Form
        operation="createExport"
        submit={submit}
        submitLabel={text.start}
        busy={create.isPending}
        error={create.error}
        reason={reason}
      >
        <Pair>
          <SelectField
            label={text.what}
            value={isAll ? 'all' : 'some'}
            change={(value) => setAll(value === 'all')}
            choices={(['all', 'some'] as const).map((value) => ({ value, label: text[value] }))}
          />
          <SelectField
            label={text.format}
            value={format}
            change={(value) => setFormat(formats.find((one) => one === value) ?? 'csv')}
            choices={formats.map((value) => ({ value, label: text.formatHints[value] }))}
          />
        </Pair>
        {!isAll && (
          <CheckGroup
            label={text.tables}
            value={tables}
            change={(chosen) => setTables(allTables.filter((one) => chosen.includes(one)))}
            choices={allTables.map((value) => ({ value, label: tableText[value] }))}
            error={findIssue(create.error, 'tables')}
          />
        )}
        <Pair>
          <TextField
            label={text.from}
            hint={text.dayHint(zone)}
            type="date"
            optional
            value={from}
            change={setFrom}
            error={findIssue(create.error, 'from')}
          />
          <TextField
            label={text.to}
            hint={text.toHint}
            type="date"
            optional
            value={to}
            change={setTo}
            error={findIssue(create.error, 'to')}
          />
        </Pair>
      </Form>
    </Panel>
  )
}
