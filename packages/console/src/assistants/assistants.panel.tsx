import type { Grant } from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import { type Column, ListTable } from '../platform/table/index.ts'
import { Time } from '../platform/time/now.tsx'
import { AskFirst, Badge, Empty, Panel } from '../platform/ui/index.ts'
import { text } from './assistants.messages.ts'

/** The assistants that have access without a key. */
export function AssistantsPanel() {
  return (
    <Panel flush title={text.title}>
      <ListTable
        label={text.title}
        reading={{ key: ['keys', 'grants'], page: (api, place) => api.account.grants.list(place).page() }}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<Empty title={text.none}>{text.noneText}</Empty>}
      />
    </Panel>
  )
}

const columns: Column<Grant>[] = [
  { name: text.name, cell: ({ clientName }) => clientName },
  { name: text.host, cell: ({ clientHost }) => <code>{clientHost}</code> },
  {
    name: text.environment,
    cell: ({ environment }) => (
      <Badge tone={environment === 'test' ? 'violet' : 'good'}>{text.environments[environment]}</Badge>
    ),
  },
  { name: text.canDo, cell: ({ scopes }) => scopes.map((scope) => text.scope[scope]).join(', ') },
  { name: text.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt === null ? text.never : <Time at={lastUsedAt} />) },
  { name: text.revoke, cell: (grant) => <Revoke grant={grant} /> },
]

function Revoke({ grant }: { grant: Grant }) {
  const revoke = useAction({ act: (api) => api.account.grants.revoke(grant.id), stale: () => [['keys']] })
  return (
    <AskFirst small danger label={text.revoke} title={text.revokeTitle} action={revoke}>
      {text.revokeText(grant.clientName)}
    </AskFirst>
  )
}
