import { spreadsheetEncodings } from '@overture/contract/vocabularies.ts'
import type { SpreadsheetEncoding } from '@overture/sdk'
import { useState } from 'react'
import { useCampaign } from '../campaigns/index.ts'
import { usePaths } from '../paths.ts'
import { CheckField, Form, SelectField } from '../platform/form/index.ts'
import { usePathParams } from '../platform/session/path-params.ts'
import { ErrorNote, LinkButton, Page, Panel, Row } from '../platform/ui/index.ts'
import { Columns, customTarget, hasTwice } from './columns.tsx'
import { FileDrop } from './file-drop.tsx'
import { useInspect, useStartImport, type Inspection } from './imports.queries.ts'
import { text } from './imports.messages.ts'
import { Issues } from './issues.panel.tsx'
import { LeftOut } from './left-out.tsx'
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
  const rest = useStartImport(id)
  const take = (chosen: File, named: { encoding?: SpreadsheetEncoding; sheet?: string } = {}): void => {
    const options = { encoding: named.encoding ?? null, sheet: named.sheet ?? null }
    setFile(chosen)
    setEncoding(options.encoding)
    setSheet(options.sheet)
    start.reset()
    rest.reset()
    inspect.mutate({ file: chosen, ...options })
  }
  const order = file && { file, columns: targets, encoding, sheet, verify }
  const importId = (rest.data ?? start.data)?.id
  const reason = missingIn(file, targets)
  return (
    <Page
      title={text.title}
      documentTitle={`${text.title} · ${campaign.data?.name ?? ''}`}
      lead={text.lead}
      actions={<LinkButton to={paths.campaign(id, 'leads')}>{text.toLeads}</LinkButton>}
    >
      <FileDrop take={(chosen) => take(chosen)} name={file?.name ?? null} busy={inspect.isPending} />
      <ErrorNote error={inspect.error} />
      {inspect.data !== undefined && start.data === undefined && order !== null && (
        <Form
          operation="importCampaignLeads"
          submit={() => start.mutate({ ...order, onDuplicate, skipIfInOtherCampaign: true })}
          submitLabel={text.start}
          busy={start.isPending}
          error={start.error}
          reason={reason}
        >
          <SheetField
            sheets={inspect.data.sheets}
            sheet={inspect.data.sheet}
            change={(value) => take(order.file, { sheet: value })}
          />
          <Issues inspection={inspect.data} />
          <Guessed inspection={inspect.data} targets={targets} change={setTargets} />
          <Options
            inspection={inspect.data}
            encoding={encoding}
            changeEncoding={(value) => take(order.file, { encoding: value })}
            onDuplicate={onDuplicate}
            changeOnDuplicate={setOnDuplicate}
          />
          <CheckField label={text.verify} hint={text.verifyHint} checked={verify} change={setVerify} />
        </Form>
      )}
      {importId !== undefined && order !== null && (
        <Progress key={importId} importId={importId} campaignId={id}>
          {(leftOut) => (
            <LeftOut
              count={leftOut}
              add={() => rest.mutate({ ...order, onDuplicate: 'skip', skipIfInOtherCampaign: false })}
              run={rest}
            />
          )}
        </Progress>
      )}
    </Page>
  )
}

function missingIn(file: File | null, targets: readonly (string | null)[]): string | null {
  if (file === null) return text.chooseFirst
  if (!targets.includes('email')) return text.needsEmail
  return hasTwice(targets) ? text.oneEach : null
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

interface OptionsProps {
  inspection: Inspection
  encoding: SpreadsheetEncoding | null
  changeEncoding: (encoding: SpreadsheetEncoding) => void
  onDuplicate: 'skip' | 'update'
  changeOnDuplicate: (onDuplicate: 'skip' | 'update') => void
}

function Options({ inspection, encoding, changeEncoding, onDuplicate, changeOnDuplicate }: OptionsProps) {
  const isLikely = encoding !== null && encoding === inspection.likelyEncoding
  return (
    <Row>
      {inspection.sheet === null && (
        <SelectField
          label={text.encoding}
          value={inspection.encoding}
          hint={isLikely ? text.likely(text.encodings[encoding]) : undefined}
          change={(value) => changeEncoding(value as SpreadsheetEncoding)}
          choices={spreadsheetEncodings.map((value) => ({ value, label: text.encodings[value] }))}
        />
      )}
      <SelectField
        label={text.onDuplicate}
        value={onDuplicate}
        change={(value) => changeOnDuplicate(value as typeof onDuplicate)}
        choices={(['skip', 'update'] as const).map((value) => ({ value, label: text.duplicates[value] }))}
      />
    </Row>
  )
}
