import type { Approval, ApprovalStatus } from '@overture/sdk'
import { useState } from 'react'
import { usePaths } from '../paths.ts'
import { useAction } from '../platform/api/action.ts'
import { useListReading } from '../platform/api/query.ts'
import { AreaField, Filters, Form, SelectField, TextField, useSearchParams } from '../platform/form/index.ts'
import {
  Badge,
  Button,
  Empty,
  ErrorNote,
  Link,
  Note,
  Panel,
  Row,
  Shown,
  Stack,
  type Tone,
} from '../platform/ui/index.ts'
import { useModels } from '../sequence/index.ts'
import { CampaignPage } from './campaign-frame.panel.tsx'
import { text } from './texts.messages.ts'

const statuses = ['requested', 'waiting', 'approved', 'rejected', 'failed'] as const
const tones: Readonly<Record<ApprovalStatus, Tone>> = {
  requested: 'soft',
  waiting: 'warn',
  approved: 'good',
  rejected: 'soft',
  failed: 'bad',
}

/** The texts that a model wrote for each lead, before they are sent. */
export function TextsPage() {
  return (
    <CampaignPage tab="texts">
      {({ id }) => (
        <>
          <NoModelNote />
          <StatusFilter />
          <Texts campaignId={id} />
        </>
      )}
    </CampaignPage>
  )
}

function NoModelNote() {
  const { connected } = useModels()
  if (connected) return null
  return (
    <Note tone="warn" role="status">
      <p>{text.noModel}</p>
    </Note>
  )
}

function StatusFilter() {
  const [{ status }, change] = useSearchParams()
  return (
    <Filters label={text.filters}>
      <SelectField
        label={text.status}
        value={status ?? ''}
        change={(value) => change({ status: value })}
        choices={[{ value: '', label: text.all }, ...statuses.map((value) => ({ value, label: text.statuses[value] }))]}
      />
    </Filters>
  )
}

function Texts({ campaignId }: { campaignId: string }) {
  const [{ status }] = useSearchParams()
  const { query, items, more } = useListReading({
    key: ['texts', campaignId, status],
    page: (api, place) =>
      api.campaigns.approvals
        .list(campaignId, { ...place, ...(status !== undefined && { status: status as ApprovalStatus }) })
        .page(),
  })
  return (
    <Shown of={query}>
      {() =>
        items.length === 0 ? (
          <Empty title={text.none}>{text.noneText}</Empty>
        ) : (
          <Stack>
            {items.map((one) => (
              <Text key={one.id} approval={one} />
            ))}
            {more !== null && <Button onClick={more}>{text.more}</Button>}
          </Stack>
        )
      }
    </Shown>
  )
}

function Text({ approval }: { approval: Approval }) {
  const { id, campaignId, leadId, status, subject, body, error, edited, textDigest } = approval
  const [editing, setEditing] = useState(false)
  const paths = usePaths()
  const decide = useAction<'approve' | 'reject'>({
    act: (api, decision) =>
      decision === 'approve'
        ? api.campaigns.approvals.approve(campaignId, id, textDigest === null ? {} : { textDigest })
        : api.campaigns.approvals.reject(campaignId, id),
    stale: () => [['texts'], ['leads'], ['campaigns']],
  })
  const waits = status === 'waiting'
  return (
    <Panel
      title={subject ?? text.statuses[status]}
      actions={
        <>
          {edited && text.edited}
          <Badge tone={tones[status]}>{text.statuses[status]}</Badge>
          <Link to={paths.lead(campaignId, leadId)}>{text.lead}</Link>
        </>
      }
    >
      {editing ? <EditForm approval={approval} close={() => setEditing(false)} /> : <p>{body ?? error}</p>}
      <ErrorNote error={decide.error} />
      {waits && !editing && (
        <Row>
          <Button
            look="primary"
            operation="approveText"
            busy={decide.isPending}
            onClick={() => decide.mutate('approve')}
          >
            {text.approve}
          </Button>
          <Button operation="editText" onClick={() => setEditing(true)}>
            {text.edit}
          </Button>
          <Button look="danger" operation="rejectText" busy={decide.isPending} onClick={() => decide.mutate('reject')}>
            {text.reject}
          </Button>
        </Row>
      )}
    </Panel>
  )
}

function EditForm({ approval, close }: { approval: Approval; close: () => void }) {
  const [subject, setSubject] = useState(approval.subject ?? '')
  const [body, setBody] = useState(approval.body ?? '')
  const edit = useAction({
    act: (api) => api.campaigns.approvals.edit(approval.campaignId, approval.id, { subject, body }),
    stale: () => [['texts']],
    done: close,
  })
  return (
    <Form
      operation="editText"
      submit={() => edit.mutate()}
      submitLabel={text.save}
      busy={edit.isPending}
      error={edit.error}
    >
      <TextField label={text.subject} value={subject} change={setSubject} />
      <AreaField label={text.body} rows={8} value={body} change={setBody} />
    </Form>
  )
}
