import type { AccountExport } from '@overture/sdk'
import { useEnvironment } from '../platform/api/environment.tsx'
import { Table, type Column } from '../platform/table/index.ts'
import { bytesText, longTimeText, numberText, timeText } from '../platform/time/format.ts'
import { useTenantTime } from '../platform/time/now.tsx'
import { DownloadLink } from '../platform/ui/button.tsx'
import { AskFirst, Badge, CopyButton, Details, Note, Panel, Progress, say, Soft } from '../platform/ui/index.ts'
import type { Tone } from '../platform/ui/index.ts'
import { formatText, statusText, tableText, text, type ExportFile } from './exports.messages.ts'
import { isRunning, useDeleteExport, useExport } from './exports.queries.ts'

const tones: Readonly<Record<AccountExport['status'], Tone>> = {
  pending: 'accent',
  running: 'accent',
  completed: 'good',
  failed: 'bad',
  removed: 'soft',
}
const digestCharsShown = 12

/** An export with its progress, and its files to download. */
export function ExportCard({ listed, open }: { listed: AccountExport; open: boolean }) {
  const shown = useExport(listed)
  const { zone } = useTenantTime()
  const { id, status, files, format } = shown
  return (
    <Panel
      title={text.title(timeText(shown.createdAt, zone))}
      actions={
        <>
          <Badge tone={tones[status]}>{statusText[status]}</Badge>
          <DeleteExport id={id} runs={isRunning(shown)} />
        </>
      }
    >
      <Soft>{text.facts(formatText[format], rangeText(shown, zone))}</Soft>
      <State shown={shown} />
      {status !== 'removed' && (
        <Details label={text.files(numberText(files.length))} open={open}>
          <Files shown={shown} />
        </Details>
      )}
    </Panel>
  )
}

function State({ shown }: { shown: AccountExport }) {
  const { zone } = useTenantTime()
  const { status, files, error, expiresAt } = shown
  if (status === 'removed') return <Note tone="warn">{text.removed}</Note>
  if (status === 'failed')
    return (
      <Note tone="bad">
        <p>
          {text.failed} {error}
        </p>
      </Note>
    )
  if (status === 'completed') return <p>{text.kept(timeText(expiresAt, zone))}</p>
  const done = files.filter(({ sha256 }) => sha256 !== null).length
  const rows = files.reduce((sum, file) => sum + file.rows, 0)
  return (
    <>
      <Progress label={text.progress} value={done} max={files.length} />
      <p role="status">{text.written(numberText(done), numberText(files.length), numberText(rows))}</p>
    </>
  )
}

function Files({ shown: { id, files } }: { shown: AccountExport }) {
  // A link can't send headers, so the environment of the session is in the URL.
  const environment = useEnvironment()
  const columns: Column<ExportFile>[] = [
    { name: text.table, cell: ({ table }) => tableText[table] },
    { name: text.rows, number: true, cell: ({ rows }) => numberText(rows) },
    { name: text.size, number: true, cell: ({ bytes }) => bytesText(bytes) },
    { name: text.sha256, cell: (file) => <Digest file={file} /> },
    {
      name: text.download,
      cell: ({ table, url }) =>
        url === null ? (
          <Soft>{text.notYet}</Soft>
        ) : (
          <DownloadLink
            small
            href={`/v2/exports/${id}/files/${table}?environment=${environment}`}
            aria-label={text.downloadFile(tableText[table])}
          >
            {text.download}
          </DownloadLink>
        ),
    },
  ]
  return (
    <Table label={text.files(numberText(files.length))} columns={columns} rows={files} rowKey={({ table }) => table} />
  )
}

function Digest({ file: { sha256, table } }: { file: ExportFile }) {
  if (sha256 === null) return null
  return (
    <>
      <code title={sha256}>{`${sha256.slice(0, digestCharsShown)}…`}</code>{' '}
      <CopyButton small look="quiet" label={text.copy} name={text.copySha256(tableText[table])} value={sha256} />
    </>
  )
}

function DeleteExport({ id, runs }: { id: string; runs: boolean }) {
  const remove = useDeleteExport(id, () => say(text.deleted))
  return (
    <AskFirst operation="deleteExport" small danger label={text.remove} title={text.removeTitle} action={remove}>
      {runs ? text.removeRunning : text.removeText}
    </AskFirst>
  )
}

function rangeText({ from, to }: AccountExport, zone: string): string {
  const [start, end] = [from, to].map((at) => (at === null ? null : longTimeText(at, zone)))
  if (start && end) return text.between(start, end)
  if (start) return text.since(start)
  return end ? text.before(end) : text.allDates
}
