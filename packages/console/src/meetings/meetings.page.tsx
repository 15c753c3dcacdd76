import type { Meeting, MeetingStatus } from '@overture/sdk'
import { meetingStatusMoves } from '@overture/contract/vocabularies.ts'
import { usePaths } from '../paths.ts'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { useAction } from '../platform/api/action.ts'
import { useSearchParams } from '../platform/form/index.ts'
import { ListTable, type Column } from '../platform/table/index.ts'
import { Time } from '../platform/time/now.tsx'
import { Badge, Empty, ErrorNote, Link, Menu, Panel, Soft, type Tone } from '../platform/ui/index.ts'
import { OnlyTagFilter } from '../tags/index.ts'
import { MeetingsFrame } from './frame.tsx'
import { sourceText, statusText, text } from './meetings.messages.ts'

const tones: Readonly<Record<MeetingStatus, Tone>> = {
  booked: 'good',
  rescheduled: 'accent',
  completed: 'violet',
  canceled: 'soft',
  no_show: 'warn',
}

export function MeetingsPage() {
  const [{ tag }] = useSearchParams()
  const filter = tag === undefined ? {} : { tagId: tag }
  const columns: Column<Meeting>[] = [
    { name: text.what, cell: ({ title }) => title },
    { name: text.when, cell: ({ startAt }) => <Time at={startAt} /> },
    { name: text.who, cell: (meeting) => <Who meeting={meeting} /> },
    { name: text.status, cell: ({ status }) => <Badge tone={tones[status]}>{statusText[status]}</Badge> },
    { name: text.source, cell: ({ source }) => sourceText[source] },
    { name: text.change, cell: (meeting) => <StatusMenu meeting={meeting} /> },
  ]
  return (
    <MeetingsFrame tab="list">
      <OnlyTagFilter />
      <Panel flush label={text.list}>
        <ListTable
          label={text.list}
          reading={{
            key: ['meetings', 'list', filter],
            page: (api, place) => api.meetings.list({ ...place, ...filter }).page(),
          }}
          columns={columns}
          rowKey={({ id }) => id}
          csv={<CsvLink path="/v2/meetings" query={filter} />}
          empty={
            tag === undefined ? (
              <Empty title={text.none}>{text.noneText}</Empty>
            ) : (
              <Empty title={text.noneFit}>{text.noneFitText}</Empty>
            )
          }
        />
      </Panel>
    </MeetingsFrame>
  )
}

function Who({ meeting: { attendees, campaignId, leadId } }: { meeting: Meeting }) {
  const paths = usePaths()
  const name = attendees.map(({ name: called, email }) => called ?? email).join(', ')
  return campaignId !== null && leadId !== null ? <Link to={paths.lead(campaignId, leadId)}>{name}</Link> : name
}

function StatusMenu({ meeting }: { meeting: Meeting }) {
  const moves = meetingStatusMoves[meeting.status]
  const update = useAction<MeetingStatus>({
    act: (api, status) => api.meetings.update(meeting.id, { status }),
    stale: () => [['meetings'], ['leads']],
  })
  if (moves.length === 0) return <Soft>{statusText[meeting.status]}</Soft>
  return (
    <>
      <Menu
        small
        operation="updateMeeting"
        label={`${text.actions}: ${meeting.title}`}
        items={moves.map((status) => ({ label: text.setTo(statusText[status]), act: () => update.mutate(status) }))}
      >
        {text.change}
      </Menu>
      <ErrorNote error={update.error} />
    </>
  )
}
