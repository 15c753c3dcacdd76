import type { BulkLeadsInput, BulkLeadsResult, Lead, Overture } from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import { numberText } from '../platform/time/format.ts'
import { say } from '../platform/ui/index.ts'
import { invertChange, together, type LeadChange } from './bulk.ts'
import { bulkText as text } from './bulk.messages.ts'
import type { LeadFilter } from './leads.queries.ts'

/** The largest number of calls, of a thousand leads each. */
const callsMax = 1_000
const stale = () => [['leads'], ['campaigns'], ['people'], ['conversations']]

export type BulkTarget = { leads: readonly Lead[] } | { filter: LeadFilter }

/** Makes the same change to many leads, reports the result, and undoes the change where that is possible. */
export function useBulkLeads(campaignId: string, done: () => void) {
  const undo = useAction<{ target: readonly Lead[]; change: LeadChange }, void>({
    async act(api, { target, change }) {
      for (const back of invertChange(change, target)) await api.campaigns.leads.bulkUpdate(campaignId, back)
    },
    stale,
    done: () => say(text.undone),
  })
  const act = useAction<{ target: BulkTarget; change: LeadChange }, BulkLeadsResult>({
    act: (api, { target, change }) =>
      changeAll(api, campaignId, {
        ...('leads' in target ? { ids: target.leads.map(({ id }) => id) } : { filter: target.filter }),
        ...change,
      }),
    stale,
    done(result, { target, change }) {
      const leads = 'leads' in target ? target.leads : []
      const canUndo = result.changed > 0 && invertChange(change, leads).length > 0
      say(resultText(result), canUndo ? () => undo.mutate({ target: leads, change }) : undefined)
      done()
    },
  })
  return { change: act.mutate, isPending: act.isPending, error: act.error ?? undo.error }
}

async function changeAll(api: Overture, campaignId: string, body: BulkLeadsInput): Promise<BulkLeadsResult> {
  const results: BulkLeadsResult[] = []
  do results.push(await api.campaigns.leads.bulkUpdate(campaignId, body))
  while (results.at(-1)!.more && results.at(-1)!.changed > 0 && results.length < callsMax)
  return together(results)
}

function resultText({ changed, skipped }: BulkLeadsResult): string {
  const reasons = Object.entries(skipped).map(([reason, count]) => text.skipped(numberText(count), reason))
  return [text.changed(numberText(changed)), ...reasons].join(' · ')
}
