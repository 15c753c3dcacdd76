import type { ReactNode } from 'react'
import { usePaths } from '../paths.ts'
import { numberText } from '../platform/time/format.ts'
import { useApi } from '../platform/api/environment.tsx'
import { Button, ErrorNote, LinkButton, Note, Panel, Progress as Bar, Row, Shown } from '../platform/ui/index.ts'
import { useAction } from '../platform/api/action.ts'
import { saveFile } from '../platform/api/save-file.ts'
import type { Import } from '@overture/sdk'
import { RejectedRows } from './rejected.panel.tsx'
import { useImport } from './imports.queries.ts'
import { text } from './imports.messages.ts'

interface ProgressProps {
  importId: string
  campaignId: string
  /** Shown when the import is complete; gets the number of people left out because of another campaign. */
  children: (leftOut: number) => ReactNode
}

/** The progress of an import, and the results of its rows. */
export function Progress({ importId, campaignId, children }: ProgressProps) {
  const job = useImport(importId)
  const paths = usePaths()
  return (
    <Panel title={isOver(job.data) ? text.imported : text.importing}>
      <Shown of={job}>
        {(data) => (
          <>
            <Bar
              label={text.importing}
              value={data.rowsRead}
              max={data.completedAt === null ? (data.rowsTotal ?? null) : data.rowsRead}
            />
            <p role="status">
              {data.completedAt === null
                ? text.progress(numberText(data.rowsRead))
                : text.done(numberText(data.added), numberText(data.failed))}
            </p>
            {data.completedAt !== null && <Done job={data} />}
            {data.completedAt !== null && children(data.skippedReasons[otherCampaign] ?? 0)}
            {data.completedAt !== null && (
              <Row>
                <LinkButton look="primary" to={paths.campaign(campaignId, 'leads')}>
                  {text.toLeads}
                </LinkButton>
              </Row>
            )}
          </>
        )}
      </Shown>
    </Panel>
  )
}

const otherCampaign = 'in_other_campaign'

function isOver(job: Import | undefined): boolean {
  return job !== undefined && job.completedAt !== null && job.status === 'completed'
}

function skipWords(reason: string): string {
  return (text.skipReasons as Readonly<Record<string, string>>)[reason] ?? reason
}

function Done({ job }: { job: Import }) {
  const api = useApi()
  const download = useAction({
    act: () => api.imports.errors(job.id),
    done: (csv) => saveFile(`${job.id}-refused.csv`, csv, 'text/csv'),
  })
  return (
    <>
      {job.status === 'failed' && (
        <Note tone="bad" role="alert">
          <p>
            {text.failed} {job.error}
          </p>
        </Note>
      )}
      {job.updated + job.skipped > 0 && <p>{text.more(numberText(job.updated), numberText(job.skipped))}</p>}
      {Object.entries(job.skippedReasons).map(([reason, count]) => (
        <p key={reason}>{text.skippedBecause(numberText(count), skipWords(reason))}</p>
      ))}
      {job.failed > 0 && <RejectedRows importId={job.id} />}
      {job.failed > 0 && (
        <Row>
          <Button busy={download.isPending} onClick={() => download.mutate()}>
            {text.refused}
          </Button>
        </Row>
      )}
      <ErrorNote error={download.error} />
    </>
  )
}
