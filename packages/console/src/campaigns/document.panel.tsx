import type { Campaign, CampaignDocument, ImportedCampaign } from '@overture/sdk'
import { useState } from 'react'
import { FileDrop } from '../imports/index.ts'
import { usePaths } from '../paths.ts'
import { useAction } from '../platform/api/action.ts'
import { saveFile } from '../platform/api/save-file.ts'
import { Button, Dialog, ErrorNote, Link, Note } from '../platform/ui/index.ts'
import { useImportCampaign } from './campaigns.actions.ts'
import { text } from './document.messages.ts'

/** The largest file that the API accepts, in bytes. */
const fileBytesMax = 10 * 1024 * 1024

/** A button that saves the campaign as a file. */
export function ExportButton({ campaign: { id, name } }: { campaign: Campaign }) {
  const load = useAction<void, CampaignDocument>({
    act: (api) => api.campaigns.export(id),
    done: (document) =>
      saveFile(`${name.replace(/[^\p{L}\p{N}]+/gu, '-')}.json`, JSON.stringify(document, null, 2), 'application/json'),
  })
  return (
    <>
      <Button onClick={() => load.mutate()} busy={load.isPending}>
        {text.exportButton}
      </Button>
      <ErrorNote error={load.error} />
    </>
  )
}

const kind = { accept: '.json,application/json', label: text.file, drop: text.drop }

/** A dialog that makes a draft from the file of an exported campaign, and lists what was left out. */
export function ImportCampaignDialog({ open, close }: { open: boolean; close: () => void }) {
  const [file, setFile] = useState<{ name: string; document: CampaignDocument | null } | null>(null)
  const create = useImportCampaign()
  const take = async (taken: File): Promise<void> => {
    create.reset()
    setFile({ name: taken.name, document: taken.size > fileBytesMax ? null : parsed(await taken.text()) })
  }
  const leave = (): void => {
    create.reset()
    setFile(null)
    close()
  }
  return (
    <Dialog
      title={text.title}
      open={open}
      close={leave}
      foot={
        create.data === undefined && (
          <Button
            look="primary"
            operation="importCampaign"
            busy={create.isPending}
            disabled={(file?.document ?? null) === null}
            onClick={() => file?.document && create.mutate(file.document)}
          >
            {text.importButton}
          </Button>
        )
      }
    >
      {create.data === undefined ? (
        <>
          <p>{text.explanation}</p>
          <FileDrop take={(taken) => void take(taken)} name={file?.name ?? null} busy={false} kind={kind} />
          {file?.document === null && (
            <Note tone="bad" role="alert">
              {text.unreadable}
            </Note>
          )}
          <ErrorNote error={create.error} />
        </>
      ) : (
        <Imported result={create.data} />
      )}
    </Dialog>
  )
}

function Imported({ result: { campaign, notes } }: { result: ImportedCampaign }) {
  const paths = usePaths()
  return (
    <>
      <p role="status">{notes.length === 0 ? text.complete : text.leftOut}</p>
      {notes.length > 0 && (
        <ul>
          {notes.map(({ path, message }) => (
            <li key={path}>{message}</li>
          ))}
        </ul>
      )}
      <Link to={paths.campaign(campaign.id, 'steps')}>{text.show(campaign.name)}</Link>
    </>
  )
}

/** The JSON in a file, or null. The server checks what it says. */
function parsed(content: string): CampaignDocument | null {
  try {
    return JSON.parse(content) as CampaignDocument
  } catch {
    return null
  }
}
