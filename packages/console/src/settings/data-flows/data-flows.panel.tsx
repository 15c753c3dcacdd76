import type { DataFlow } from '@overture/sdk'
import { useReading } from '../../platform/api/query.ts'
import { Table, type Column } from '../../platform/table/index.ts'
import { numberText } from '../../platform/time/format.ts'
import { Panel, Shown } from '../../platform/ui/index.ts'
import { receiverText, text } from './data-flows.messages.ts'

/** Every host that gets data of the account, for the record of processing. */
export function DataFlows() {
  const flows = useReading<DataFlow[]>({
    key: ['account', 'data-flows'],
    read: async (api) => (await api.account.dataFlows()).receivers,
  })
  return (
    <Panel title={text.title}>
      <p>{text.lead}</p>
      <Shown of={flows}>
        {(receivers) =>
          receivers.length === 0 ? (
            <p>{text.none}</p>
          ) : (
            <Table
              label={text.title}
              columns={columns}
              rows={receivers}
              rowKey={({ receiver, host }) => `${receiver} ${host}`}
            />
          )
        }
      </Shown>
    </Panel>
  )
}

const columns: Column<DataFlow>[] = [
  { name: text.receiver, cell: ({ receiver }) => receiverText[receiver] },
  { name: text.host, cell: ({ host }) => <code>{host}</code> },
  { name: text.fields, wrap: true, cell: ({ fields }) => fields.join(', ') },
  {
    name: text.calls,
    number: true,
    cell: ({ callsIn30Days }) => (callsIn30Days === null ? text.notCounted : numberText(callsIn30Days)),
  },
]
