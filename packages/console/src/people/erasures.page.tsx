import type { Erasure } from '@overture/sdk'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { saveFile } from '../platform/api/save-file.ts'
import { type Column, ListTable } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Time } from '../platform/time/now.tsx'
import { Badge, Button, Empty, Page, Panel } from '../platform/ui/index.ts'
import { text } from './people.messages.ts'

/** The proofs of erasures, to download. */
export function ErasuresPage() {
  return (
    <Page title={text.erasures} lead={text.erasuresLead}>
      <Panel flush label={text.erasures}>
        <ListTable
          label={text.erasures}
          reading={{ key: ['people', 'erasures'], page: (api, place) => api.erasures.list(place).page() }}
          columns={columns}
          rowKey={({ id }) => id}
          csv={<CsvLink path="/v2/erasures" />}
          empty={<Empty title={text.noErasures}>{text.noErasuresText}</Empty>}
        />
      </Panel>
    </Page>
  )
}

const columns: Column<Erasure>[] = [
  { name: text.erasedAt, cell: ({ at }) => <Time at={at} /> },
  { name: text.erasedBy, cell: ({ actor }) => actor.name ?? text.actors[actor.type] },
  {
    name: text.removed,
    number: true,
    cell: ({ removed }) => numberText(Object.values(removed).reduce((sum, rows) => sum + rows, 0)),
  },
  {
    name: text.proof,
    cell: ({ status, intact }) =>
      status === 'running' ? (
        <Badge tone="soft">{text.searching}</Badge>
      ) : (
        <Badge tone={intact === true ? 'good' : 'bad'}>{intact === true ? text.sealed : text.changed}</Badge>
      ),
  },
  {
    name: text.download,
    cell: (erasure) => (
      <Button
        small
        onClick={() => saveFile(`${erasure.id}.json`, JSON.stringify(erasure, null, 2), 'application/json')}
      >
        {text.downloadProof}
        <span className="visually-hidden"> {erasure.id}</span>
      </Button>
    ),
  },
]
