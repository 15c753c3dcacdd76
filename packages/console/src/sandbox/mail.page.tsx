import type { SandboxMessage, SandboxMessageDetail } from '@overture/sdk'
import { useState } from 'react'
import { DeveloperPage } from '../api-keys/index.ts'
import { useEnvironment } from '../platform/api/environment.tsx'
import { useReading } from '../platform/api/query.ts'
import { MailText } from '../platform/frame/index.ts'
import { NumbersTable } from '../platform/chart/index.ts'
import { ListTable, type Column } from '../platform/table/index.ts'
import { Time } from '../platform/time/now.tsx'
import { Button, Dialog, Empty, Panel, Shown } from '../platform/ui/index.ts'
import { text } from './sandbox.messages.ts'

export function MailPage() {
  const test = useEnvironment() === 'test'
  return (
    <DeveloperPage tab="mail">
      {test ? <Mail /> : <Empty title={text.onlyTest}>{text.onlyTestText}</Empty>}
    </DeveloperPage>
  )
}

function Mail() {
  const [shownId, setShownId] = useState<string | null>(null)
  const columns: Column<SandboxMessage>[] = [
    {
      name: text.subject,
      cell: ({ id, subject }) => (
        <Button small look="quiet" onClick={() => setShownId(id)}>
          {subject}
        </Button>
      ),
    },
    { name: text.from, cell: ({ from }) => from },
    { name: text.toColumn, cell: ({ to }) => to.join(', ') },
    { name: text.at, cell: ({ at }) => <Time at={at} /> },
  ]
  return (
    <>
      <p>{text.mailLead}</p>
      <Panel flush label={text.mailTitle}>
        <ListTable
          label={text.mailTitle}
          reading={{ key: ['mail', 'list'], page: (api, place) => api.sandbox.messages.list(place).page() }}
          columns={columns}
          rowKey={({ id }) => id}
          empty={<Empty title={text.mailEmpty}>{text.mailEmptyText}</Empty>}
        />
      </Panel>
      <Dialog title={text.message} wide open={shownId !== null} close={() => setShownId(null)}>
        {shownId !== null && <Detail id={shownId} />}
      </Dialog>
    </>
  )
}

function Detail({ id }: { id: string }) {
  const message = useReading<SandboxMessageDetail>({
    key: ['mail', 'one', id],
    read: (api) => api.sandbox.messages.get(id),
  })
  return (
    <Shown of={message}>
      {({ subject, text: plain, html, headers }) => (
        <>
          <h3>{subject}</h3>
          <MailText title={subject} plain={plain} html={html} />
          <NumbersTable
            label={text.headers}
            columns={[text.header, text.value]}
            rows={headers.map(({ name, value }) => [name, value])}
          />
        </>
      )}
    </Shown>
  )
}
