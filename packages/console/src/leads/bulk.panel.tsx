import type { Interest, Lead } from '@overture/sdk'
import { useState } from 'react'
import { type ListTotal, totalText } from '../platform/api/list-total.ts'
import { SelectField } from '../platform/form/index.ts'
import { usePermissionReason } from '../platform/session/permission.ts'
import type { Selection } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Button, Chosen, Confirm, ErrorNote } from '../platform/ui/index.ts'
import { interestChoices } from './badges.tsx'
import type { LeadChange } from './bulk.ts'
import { useBulkLeads, type BulkTarget } from './bulk.actions.ts'
import { bulkText as text } from './bulk.messages.ts'
import { text as leadText } from './leads.messages.ts'
import type { LeadFilter } from './leads.queries.ts'

export interface BulkLeadsProps {
  campaignId: string
  selection: Selection<Lead>
  filter: LeadFilter
  total: ListTotal
}

const none = 'none'

/** Offers one change for many leads: the selected ones, or all that match the filter. */
export function BulkLeads({ campaignId, selection, filter, total }: BulkLeadsProps) {
  const [all, setAll] = useState(false)
  const [asking, setAsking] = useState<LeadChange | null>(null)
  const clear = (): void => {
    setAll(false)
    setAsking(null)
    selection.clear()
  }
  const mayNot = usePermissionReason('bulkUpdateCampaignLeads') !== null
  const bulk = useBulkLeads(campaignId, clear)
  if (selection.items.length === 0) return <ErrorNote error={bulk.error} />
  const target: BulkTarget = all ? { filter } : { leads: selection.items }
  const count = all ? totalText(total) : numberText(selection.items.length)
  const run = (change: LeadChange): void => bulk.change({ target, change })
  // A change that can't be undone is confirmed first.
  const begin = (change: LeadChange): void => (all || change.status === 'stopped' ? setAsking(change) : run(change))
  const kind = asking?.status ?? 'label'
  return (
    <Chosen label={text.region} count={all ? text.allChosen(count) : text.chosen(count)}>
      {!all && total.count > selection.items.length && (
        <Button small look="quiet" onClick={() => setAll(true)}>
          {text.chooseAll(totalText(total))}
        </Button>
      )}
      <Button
        small
        operation="bulkUpdateCampaignLeads"
        busy={bulk.isPending}
        onClick={() => begin({ status: 'paused' })}
      >
        {text.pause}
      </Button>
      <Button
        small
        operation="bulkUpdateCampaignLeads"
        busy={bulk.isPending}
        onClick={() => begin({ status: 'active' })}
      >
        {text.resume}
      </Button>
      <Button
        small
        look="danger"
        operation="bulkUpdateCampaignLeads"
        busy={bulk.isPending}
        onClick={() => begin({ status: 'stopped' })}
      >
        {text.stop}
      </Button>
      <SelectField
        label={text.label}
        hideLabel
        disabled={mayNot}
        value=""
        choices={[{ value: '', label: text.setLabel }, { value: none, label: leadText.noInterest }, ...interestChoices]}
        change={(value) => value !== '' && begin({ interest: value === none ? null : (value as Interest) })}
      />
      <Button small look="quiet" onClick={clear}>
        {text.clear}
      </Button>
      <ErrorNote error={bulk.error} />
      <Confirm
        title={text.sureTitle(count)}
        open={asking !== null}
        close={() => setAsking(null)}
        confirm={() => asking !== null && run(asking)}
        confirmLabel={text.confirm[kind](count)}
        danger={kind === 'stopped'}
        busy={bulk.isPending}
      >
        <p>{text.sure[kind]}</p>
        <ErrorNote error={bulk.error} />
      </Confirm>
    </Chosen>
  )
}
