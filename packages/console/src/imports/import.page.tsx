import { spreadsheetEncodings } from '@overture/contract/vocabularies.ts'
import type { SpreadsheetEncoding } from '@overture/sdk'
import { useState } from 'react'
import { useCampaign } from '../campaigns/index.ts'
import { usePaths } from '../paths.ts'
import { CheckField, Form, SelectField } from '../platform/form/index.ts'
import { usePathParams } from '../platform/session/path-params.ts'
import { ErrorNote, LinkButton, Page, Panel, Row } from '../platform/ui/index.ts'
import { Columns, customTarget } from './columns.tsx'
import { FileDrop } from './file-drop.tsx'
import { useInspect, useStartImport, type Inspection } from './imports.queries.ts'
import { text } from './imports.messages.ts'
import { Issues } from './issues.panel.tsx'
import { Progress } from './progress.panel.tsx'
import { SheetField } from './sheet-choice.panel.tsx'

/** Imports a file: shows its columns with the guessed fields, then the results of its rows. */
export function ImportPage() {
  const { id } = usePathParams('/campaigns/$id/leads/import')
  const campaign = useCampaign(id)
  const paths = usePaths()
  const [file, setFile] = useState<File | null>(null)
  const [targets, setTargets] = useState<(string | null)[]>([])
  const [onDuplicate, setOnDuplicate] = useState<'skip' | 'update'>('skip')
  const [verify, setVerify] = useState(false)
  const [encoding, setEncoding] = useState<SpreadsheetEncoding | null>(null)
  const [sheet, setSheet] = useState<string | null>(null)
  const inspect = useInspect((found) => {
    setTargets(found.columns.map(({ target }) => target))
    const { likelyEncoding } = found
    if (file === null || encoding !== null || likelyEncoding === undefined || likelyEncoding === found.encoding) return
    // The user sees the names in the likely encoding, and can choose another one.
    take(file, { encoding: likelyEncoding })
  })
  const start = useStartImport(id)
  const take = (chosen: File, named: { encoding?: SpreadsheetEncoding; sheet?: string } = {}): void => {
    const options = { encoding: named.encoding ?? null, sheet: named.sheet ?? null }
    setFile(chosen)
    setEncoding(options.encoding)
    setSheet(options.sheet)
    start.reset()
    inspect.mutate({ file: chosen, ...options })
  }
  const reason = file === null ? text.chooseFirst : !targets.includes('email') ? text.needsEmail : null
  return (
    <Page
      title={text.title}
      documentTitle={`${text.title} · ${campaign.data?.name ?? ''}`}
      lead={text.lead}
      actions={<LinkButton to={paths.campaign(id, 'leads')}>{text.toLeads}</LinkButton>}
    >
      <FileDrop take={(chosen) => take(chosen)} name={file?.name ?? null} busy={inspect.isPending} />
      <ErrorNote error={inspect.error} />
      {inspect.data !== undefined && start.data === undefined && file !== null && (
        <Form
          operation="importCampaignLeads"
          submit={() => start.mutate({ file, columns: targets, onDuplicate, encoding, sheet, verify })}
          submitLabel={text.start}
          busy={start.isPending}
          error={start.error}
          reason={reason}
        >
          <SheetField
            sheets={inspect.data.sheets}
            sheet={inspect.data.sheet}
            change={(value) => take(file, { sheet: value })}
          />
          <Issues inspection={inspect.data} />
          <Guessed inspection={inspect.data} targets={targets} change={setTargets} />
          <Row>
            {inspect.data.sheet === null && (
              <SelectField
                label={text.encoding}
                value={inspect.data.encoding}
                hint={
                  encoding !== null && encoding === inspect.data.likelyEncoding
                    ? text.likely(text.encodings[encoding])
                    : undefined
                }
                change={(value) => take(file, { encoding: value as SpreadsheetEncoding })}
                choices={spreadsheetEncodings.map((value) => ({ value, label: text.encodings[value] }))}
              />
            )}
            <SelectField
              label={text.onDuplicate}
              value={onDuplicate}
              change={(value) => setOnDuplicate(value as typeof onDuplicate)}
              choices={(['skip', 'update'] as const).map((value) => ({ value, label: text.duplicates[value] }))}
            />
          </Row>
          <CheckField label={text.verify} hint={text.verifyHint} checked={verify} change={setVerify} />
        </Form>
      )}
      {start.data !== undefined && <Progress importId={start.data.id} campaignId={id} />}
    </Page>
  )
}

function Guessed({
  inspection,
  targets,
  change,
}: {
  inspection: Inspection
  targets: (string | null)[]
  change: (targets: (string | null)[]) => void
}) {
  return (
    <Panel title={text.columns}>
      <Columns
        columns={inspection.columns}
        targets={targets}
        change={(index, target) => change(targets.map((one, at) => (at === index ? target : one)))}
        custom={customTarget}
      />
    </Panel>
  )
}
