import type { ListImport } from '@overture/sdk'
import { useState } from 'react'
import { FileDrop, SheetChoice } from '../imports/index.ts'
import { useAction } from '../platform/api/action.ts'
import { useApi } from '../platform/api/environment.tsx'
import { useStale } from '../platform/api/query.ts'
import { saveFile } from '../platform/api/save-file.ts'
import { Form } from '../platform/form/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Button, Dialog, ErrorNote, Note, Progress, Row, Shown } from '../platform/ui/index.ts'
import { useImportMembers } from './lists.actions.ts'
import { text } from './lists.messages.ts'
import { useMemberImport } from './lists.queries.ts'

/** Uploads a file into a list of people, then shows the progress. */
export function ImportMembersDialog({ listId, open, close }: { listId: string; open: boolean; close: () => void }) {
  const [file, setFile] = useState<File | null>(null)
  const [sheet, setSheet] = useState<string | null>(null)
  const start = useImportMembers(listId)
  const take = (taken: File | null): void => {
    setFile(taken)
    setSheet(null)
    start.reset()
  }
  const stale = useStale()
  const end = (): void => {
    take(null)
    close()
    void stale(['lists'], ['leads'], ['campaigns'])
  }
  return (
    <Dialog title={text.importPeople} open={open} close={end} foot={null}>
      {start.data === undefined ? (
        <Form
          operation="importListMembers"
          submit={() => file !== null && start.mutate({ file, sheet })}
          submitLabel={text.importStart}
          busy={start.isPending}
          error={start.error}
          reason={file === null ? text.chooseFile : null}
        >
          <p>{text.importColumns}</p>
          <FileDrop take={take} name={file?.name ?? null} busy={start.isPending} />
          <SheetChoice file={file} sheet={sheet} change={setSheet} />
        </Form>
      ) : (
        <MemberImport id={start.data.id} />
      )}
    </Dialog>
  )
}

function MemberImport({ id }: { id: string }) {
  const job = useMemberImport(id)
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
              : text.importDone(numberText(data.added), numberText(data.updated), numberText(data.failed))}
          </p>
          {data.completedAt !== null && <Ended job={data} />}
        </>
      )}
    </Shown>
  )
}

function Ended({ job }: { job: ListImport }) {
  const api = useApi()
  const download = useAction({
    act: () => api.lists.imports.errors(job.id),
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
