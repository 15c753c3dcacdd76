import type { SuppressionImport } from '@overture/sdk'
import { useState } from 'react'
import { FileDrop, SheetChoice } from '../imports/index.ts'
import { useAction } from '../platform/api/action.ts'
import { useStale } from '../platform/api/query.ts'
import { useApi } from '../platform/api/environment.tsx'
import { saveFile } from '../platform/api/save-file.ts'
import { AreaField, Form, SelectField, TextField } from '../platform/form/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Button, Dialog, ErrorNote, Note, Progress, Row, Shown } from '../platform/ui/index.ts'
import { listPasted, pastedListCsv } from './pasted-list.ts'
import { text } from './suppressions.messages.ts'
import { useImportList, useListImport, type ListFile } from './suppressions.queries.ts'

/** Uploads a file or pasted addresses into a suppression list, then shows the progress. */
export function ImportListDialog({ open, close }: { open: boolean; close: () => void }) {
  const [chosen, setFile] = useState<File | null>(null)
  const [pasted, setPasted] = useState('')
  const [sheet, setSheet] = useState<string | null>(null)
  const [list, setList] = useState('')
  const [mode, setMode] = useState<ListFile['mode']>('add')
  const start = useImportList()
  const isEmpty = chosen === null && listPasted(pasted).length === 0
  const stale = useStale()
  const take = (taken: File | null): void => {
    setFile(taken)
    setSheet(null)
    start.reset()
  }
  const end = (): void => {
    take(null)
    setPasted('')
    close()
    void stale(['suppressions'], ['leads'], ['people'])
  }
  return (
    <Dialog title={text.importTitle} open={open} close={end} foot={null}>
      {start.data === undefined ? (
        <Form
          operation="importSuppressions"
          submit={() => start.mutate({ file: chosen ?? pastedFile(pasted), sheet, list, mode })}
          submitLabel={text.importStart}
          busy={start.isPending}
          error={start.error}
          reason={isEmpty ? text.chooseFile : null}
        >
          <p>{text.importColumns}</p>
          <FileDrop take={take} name={chosen?.name ?? null} busy={start.isPending} />
          {chosen === null && (
            <AreaField label={text.paste} hint={text.pasteHint} optional value={pasted} change={setPasted} />
          )}
          <SheetChoice file={chosen} sheet={sheet} change={setSheet} />
          <TextField label={text.listName} value={list} change={setList} />
          <SelectField
            label={text.mode}
            value={mode}
            change={(value) => setMode(value as ListFile['mode'])}
            choices={(['add', 'replace'] as const).map((value) => ({ value, label: text.modes[value] }))}
          />
        </Form>
      ) : (
        <ImportProgress id={start.data.id} />
      )}
    </Dialog>
  )
}

function pastedFile(pasted: string): File {
  return new File([pastedListCsv(pasted)], 'pasted.csv', { type: 'text/csv' })
}

function ImportProgress({ id }: { id: string }) {
  const job = useListImport(id)
  return (
    <Shown of={job}>
      {(data) => (
        <>
          <Progress
            label={text.importing}
            value={data.rowsRead}
            max={data.completedAt === null ? data.rowsTotal : data.rowsRead}
          />
          <p role="status">
            {data.completedAt === null
              ? text.importRead(numberText(data.rowsRead))
              : text.importDone(numberText(data.added), numberText(data.removed), numberText(data.failed))}
          </p>
          {data.completedAt !== null && <Ended job={data} />}
        </>
      )}
    </Shown>
  )
}

function Ended({ job }: { job: SuppressionImport }) {
  const api = useApi()
  const download = useAction({
    act: () => api.suppressions.imports.errors(job.id),
    done: (csv) => saveFile(`${job.id}-rejected.csv`, csv, 'text/csv'),
  })
  return (
    <>
      {job.status === 'failed' && (
        <Note tone="bad" role="alert">
          <p>
            {text.importFailed} {job.error}
          </p>
        </Note>
      )}
      {job.failed > 0 && (
        <Row>
          <Button busy={download.isPending} onClick={() => download.mutate()}>
            {text.rejected}
          </Button>
        </Row>
      )}
      <ErrorNote error={download.error} />
    </>
  )
}
