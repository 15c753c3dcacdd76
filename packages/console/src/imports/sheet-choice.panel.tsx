import { SelectField } from '../platform/form/index.ts'
import { ErrorNote } from '../platform/ui/index.ts'
import { useSheets } from './imports.queries.ts'
import { text } from './imports.messages.ts'

interface SheetFieldProps {
  sheets: readonly string[]
  sheet: string | null
  change: (sheet: string) => void
}

/** The sheet that is read, if a workbook has several. */
export function SheetField({ sheets, sheet, change }: SheetFieldProps) {
  if (sheets.length < 2) return null
  return (
    <SelectField
      label={text.sheet}
      hint={text.sheetHint}
      value={sheet ?? ''}
      change={change}
      choices={sheets.map((value) => ({ value, label: value }))}
    />
  )
}

/** The same for a form that does not show the columns of the file. */
export function SheetChoice({
  file,
  sheet,
  change,
}: {
  file: File | null
  /** Null until the user chooses one. Then the first visible one is read. */
  sheet: string | null
  change: (sheet: string) => void
}) {
  const { data, error } = useSheets(file)
  return (
    <>
      <ErrorNote error={error} />
      {data !== undefined && <SheetField sheets={data.sheets} sheet={sheet ?? data.sheet} change={change} />}
    </>
  )
}
