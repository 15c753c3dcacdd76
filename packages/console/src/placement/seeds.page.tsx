import type { SeedMailbox } from '@overture/sdk'
import { useState } from 'react'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { useEnvironment } from '../platform/api/environment.tsx'
import { Form, NumberField, TextField } from '../platform/form/index.ts'
import { type Column, ListTable } from '../platform/table/index.ts'
import { Time } from '../platform/time/now.tsx'
import { AskFirst, Badge, Button, Dialog, Empty, findIssue, Panel, Row, say, type Tone } from '../platform/ui/index.ts'
import { SettingsPage } from '../settings/index.ts'
import { text } from './placement.messages.ts'
import { key, useAddSeed, useDeleteSeed, useVerifySeed } from './placement.queries.ts'

const tones: Readonly<Record<SeedMailbox['status'], Tone>> = { unverified: 'soft', working: 'good', failing: 'bad' }
const imapPort = 993

export function SeedsPage() {
  const [adding, setAdding] = useState(false)
  const add = (
    <Button look="primary" operation="createSeedMailbox" onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  )
  return (
    <SettingsPage tab="seeds">
      <Panel flush title={text.addSeeds} actions={add}>
        <ListTable
          label={text.addSeeds}
          reading={{ key: [...key, 'seeds', 'list'], page: (api, place) => api.seedMailboxes.list(place).page() }}
          columns={columns}
          rowKey={({ id }) => id}
          csv={<CsvLink path="/v2/seed-mailboxes" />}
          empty={<Empty title={text.noSeedsYet}>{text.noSeedsText}</Empty>}
        />
      </Panel>
      {adding && <AddDialog close={() => setAdding(false)} />}
    </SettingsPage>
  )
}

const columns: Column<SeedMailbox>[] = [
  { name: text.email, cell: ({ email }) => email },
  { name: text.host, cell: ({ imap }) => imap?.host },
  { name: text.status, cell: ({ status }) => <Badge tone={tones[status]}>{text.seedStatuses[status]}</Badge> },
  { name: text.checked, cell: ({ checkedAt }) => (checkedAt === null ? text.never : <Time at={checkedAt} />) },
  { name: text.verify, cell: (seed) => <Actions seed={seed} /> },
]

function Actions({ seed }: { seed: SeedMailbox }) {
  const verify = useVerifySeed(seed.id, ({ ok, message }) => say(ok ? text.works : message))
  const remove = useDeleteSeed(seed.id)
  return (
    <Row>
      <Button small operation="verifySeedMailbox" busy={verify.isPending} onClick={() => verify.mutate()}>
        {text.verify}
      </Button>
      <AskFirst operation="deleteSeedMailbox" small danger label={text.remove} title={text.removeTitle} action={remove}>
        {text.removeText}
      </AskFirst>
    </Row>
  )
}

function AddDialog({ close }: { close: () => void }) {
  const isLive = useEnvironment() === 'live'
  const [email, setEmail] = useState('')
  const [host, setHost] = useState('')
  const [port, setPort] = useState<number | null>(imapPort)
  const [password, setPassword] = useState('')
  const add = useAddSeed(() => {
    say(text.added)
    close()
  })
  const issue = (path: string) => findIssue(add.error, path)
  return (
    <Dialog title={text.add} open close={close} foot={null}>
      <p>{text.seedsLead}</p>
      <Form
        operation="createSeedMailbox"
        submit={() => add.mutate({ email: email.trim(), host: host.trim(), port: port ?? imapPort, password })}
        submitLabel={text.add}
        busy={add.isPending}
        error={add.error}
      >
        <TextField label={text.email} type="email" value={email} change={setEmail} error={issue('email')} />
        {isLive && (
          <>
            <TextField label={text.host} value={host} change={setHost} error={issue('imap.host') ?? issue('imap')} />
            <NumberField label={text.port} value={port} change={setPort} error={issue('imap.port')} />
            <TextField
              label={text.password}
              hint={text.passwordHint}
              type="password"
              autoComplete="off"
              value={password}
              change={setPassword}
              error={issue('imap.password')}
            />
          </>
        )}
      </Form>
    </Dialog>
  )
}
