import type { DeliverabilityDomain } from '@overture/sdk'
import { useState } from 'react'
import { usePaths } from '../paths.ts'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { FileDrop } from '../imports/index.ts'
import { Form } from '../platform/form/index.ts'
import { type Column, ListTable } from '../platform/table/index.ts'
import { dateText, numberText, percentText } from '../platform/time/format.ts'
import { Button, Dialog, Empty, Link, LinkButton, Page, Panel, say } from '../platform/ui/index.ts'
import { DeliverabilityBadge, DomainHealthBadge } from '../sending-accounts/index.ts'
import { text } from './deliverability.messages.ts'
import { key, useUploadReport } from './deliverability.queries.ts'

export function DomainsPage() {
  const paths = usePaths()
  const [uploading, setUploading] = useState(false)
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={
        <>
          <LinkButton to={paths.placementTests}>{text.placementTests}</LinkButton>
          <Button operation="uploadDmarcReport" onClick={() => setUploading(true)}>
            {text.upload}
          </Button>
        </>
      }
    >
      <Panel flush label={text.list}>
        <ListTable
          label={text.list}
          reading={{ key: [...key, 'list'], page: (api, place) => api.deliverability.domains.list(place).page() }}
          columns={domainColumns(paths)}
          rowKey={({ domain }) => domain}
          csv={<CsvLink path="/v2/deliverability/domains" />}
          empty={
            <Empty
              title={text.none}
              action={
                <LinkButton operation="createSendingAccount" to={paths.connectSender}>
                  {text.connect}
                </LinkButton>
              }
            >
              {text.noneText}
            </Empty>
          }
        />
      </Panel>
      <UploadDialog open={uploading} close={() => setUploading(false)} />
    </Page>
  )
}

function domainColumns(paths: ReturnType<typeof usePaths>): Column<DeliverabilityDomain>[] {
  return [
    { name: text.domain, cell: ({ domain }) => <Link to={paths.domain(domain)}>{domain}</Link> },
    { name: text.senders, number: true, cell: ({ senders }) => numberText(senders) },
    { name: text.state, cell: ({ state }) => state && <DeliverabilityBadge state={state} /> },
    { name: text.dns, cell: ({ health }) => health && <DomainHealthBadge health={health} /> },
    { name: text.reported, number: true, cell: ({ reported }) => numberText(reported.messages) },
    {
      name: text.passed,
      number: true,
      cell: ({ reported: { messages, passed } }) => (messages === 0 ? '' : percentText(passed / messages)),
    },
    { name: text.lastReport, cell: ({ lastReportOn }) => lastReportOn !== null && dateText(lastReportOn) },
  ]
}

const reportFile = { accept: '.xml,.gz,.zip', label: text.file, drop: text.drop }

function UploadDialog({ open, close }: { open: boolean; close: () => void }) {
  const [file, setFile] = useState<File | null>(null)
  const upload = useUploadReport(() => {
    say(text.uploaded)
    close()
  })
  return (
    <Dialog title={text.uploadTitle} open={open} close={close} foot={null}>
      <p>{text.uploadText}</p>
      <Form
        operation="uploadDmarcReport"
        submit={() => file !== null && upload.mutate(file)}
        submitLabel={text.uploadStart}
        busy={upload.isPending}
        error={upload.error}
        reason={file === null ? text.chooseFile : null}
      >
        <FileDrop take={setFile} name={file?.name ?? null} busy={upload.isPending} kind={reportFile} />
      </Form>
    </Dialog>
  )
}
