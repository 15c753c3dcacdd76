import type { ApiKey, CreatedApiKey, Scope } from '@overture/sdk'
import { useState } from 'react'
import { useAction } from '../platform/api/action.ts'
import { useEnvironment } from '../platform/api/environment.tsx'
import { Form, ProofField, toConfirmation, SelectField, TextField } from '../platform/form/index.ts'
import { type Column, ListTable } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Time } from '../platform/time/now.tsx'
import {
  AskFirst,
  Badge,
  Button,
  Dialog,
  Empty,
  findIssue,
  Panel,
  Shown,
  ShownOnce,
  Stats,
  type Tone,
} from '../platform/ui/index.ts'
import { AssistantsPanel } from '../assistants/index.ts'
import { useAccount } from '../settings/index.ts'
import { DeveloperPage } from './developer-page.tsx'
import { text } from './keys.messages.ts'

const tones: Readonly<Record<ApiKey['status'], Tone>> = { active: 'good', revoked: 'soft', expired: 'warn' }
const stale = () => [['keys'], ['account']]

export function KeysPage() {
  const [creating, setCreating] = useState(false)
  const [made, setMade] = useState<CreatedApiKey | null>(null)
  const create = (
    <Button look="primary" operation="createApiKey" onClick={() => setCreating(true)}>
      {text.create}
    </Button>
  )
  return (
    <DeveloperPage tab="keys" actions={create}>
      <Usage />
      <Panel flush title={text.keys}>
        <ListTable
          label={text.keys}
          reading={{ key: ['keys', 'list'], page: (api, place) => api.account.apiKeys.list(place).page() }}
          columns={columns}
          rowKey={({ id }) => id}
          empty={<Empty title={text.none}>{text.noneText}</Empty>}
        />
      </Panel>
      <AssistantsPanel />
      {creating && (
        <CreateDialog
          close={() => setCreating(false)}
          done={(key) => {
            setCreating(false)
            setMade(key)
          }}
        />
      )}
      <ShownOnce
        title={text.createdTitle}
        about={text.createdText}
        value={made?.key ?? null}
        copyLabel={text.copyKey}
        close={() => setMade(null)}
      />
    </DeveloperPage>
  )
}

function Usage() {
  const account = useAccount()
  return (
    <Panel title={text.usage}>
      <Shown of={account}>
        {({ usage, limits }) => (
          <Stats
            items={[
              {
                label: text.perMonth,
                value: numberText(usage.monthlyRequests),
                beside: text.ofMax(numberText(limits.monthlyRequests)),
              },
              { label: text.perMinute, value: numberText(limits.requestsPerMinute) },
              {
                label: text.activeKeys,
                value: numberText(usage.activeApiKeys),
                beside: text.ofMax(numberText(limits.maxApiKeys)),
              },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}

const columns: Column<ApiKey>[] = [
  { name: text.name, cell: ({ name }) => name },
  { name: text.prefix, cell: ({ prefix }) => <code>{prefix}</code> },
  {
    name: text.environment,
    cell: ({ environment }) => (
      <Badge tone={environment === 'test' ? 'violet' : 'good'}>{text.environments[environment]}</Badge>
    ),
  },
  { name: text.scopes, cell: ({ scopes }) => text.scope[highestScope(scopes)] },
  { name: text.status, cell: ({ status }) => <Badge tone={tones[status]}>{text.statuses[status]}</Badge> },
  { name: text.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt === null ? text.never : <Time at={lastUsedAt} />) },
  { name: text.revoke, cell: (key) => key.status === 'active' && <Revoke apiKey={key} /> },
]

function highestScope(scopes: readonly Scope[]): Scope {
  return scopes.includes('admin') ? 'admin' : scopes.includes('write') ? 'write' : 'read'
}

function Revoke({ apiKey }: { apiKey: ApiKey }) {
  const revoke = useAction({ act: (api) => api.account.apiKeys.revoke(apiKey.id), stale })
  return (
    <AskFirst operation="revokeApiKey" small danger label={text.revoke} title={text.revokeTitle} action={revoke}>
      {text.revokeText(apiKey.name)}
    </AskFirst>
  )
}

/** Mounted only while it is open, so that neither a typed password nor an old error is there when it opens again. */
function CreateDialog({ close, done }: { close: () => void; done: (key: CreatedApiKey) => void }) {
  const [name, setName] = useState('')
  const [scope, setScope] = useState<Scope>('read')
  const [proof, setProof] = useState('')
  const isLive = useEnvironment() === 'live'
  const create = useAction<void, CreatedApiKey>({
    act: (api) =>
      api.account.apiKeys.create({
        ...(name !== '' && { name }),
        scopes: scope === 'write' ? ['read', 'write'] : ['read'],
        ...(proof !== '' && { confirm: toConfirmation(proof) }),
      }),
    stale,
    done,
  })
  return (
    <Dialog title={text.createTitle} open close={close} foot={null}>
      <Form
        operation="createApiKey"
        submit={() => create.mutate()}
        submitLabel={text.createButton}
        busy={create.isPending}
        error={create.error}
      >
        <TextField label={text.name} value={name} change={setName} error={findIssue(create.error, 'name')} />
        <SelectField
          label={text.canDo}
          value={scope}
          change={(value) => setScope(value as Scope)}
          choices={(['read', 'write'] as const).map((value) => ({ value, label: text.scope[value] }))}
        />
        {isLive && scope === 'write' && <ProofField value={proof} change={setProof} error={create.error} />}
      </Form>
    </Dialog>
  )
}
