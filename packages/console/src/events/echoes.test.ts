import type { Activity } from '@overture/sdk'
import { expect, test } from 'vitest'
import { withoutEchoes } from './echoes.ts'

const at = '2026-12-01T08:00:00.000Z'
const later = '2026-12-01T09:00:00.000Z'

function activity(type: Activity['type'], leadId: string, occurredAt: string): Activity {
  const id = `evt_${type}_${leadId}_${occurredAt}`
  return { id, type, leadId, occurredAt, campaignId: 'cmp_1', leadEmail: `${leadId}@example.com` } as Activity
}

test('a changed status is shown only if nothing else happened to the lead at that moment', () => {
  const sent = activity('message.sent', 'ann', at)
  const alone = activity('lead.status_changed', 'ann', later)
  const other = activity('lead.status_changed', 'bob', at)
  expect(withoutEchoes([sent, activity('lead.status_changed', 'ann', at), alone, other])).toEqual([sent, alone, other])
})
