import { useState } from 'react'
import { useAction } from '../platform/api/action.ts'
import { tryCampaign } from './try-it.ts'

export type TryStage = 'sender' | 'campaign' | 'clock' | 'done'

const advanceTimeoutMs = 10 * 60_000
const stale = () => [
  ['campaigns'],
  ['leads'],
  ['senders'],
  ['conversations'],
  ['events'],
  ['clock'],
  ['people'],
  ['mail'],
]

/** Shows the whole product in a minute, only through the API: creates a sender and a campaign, and simulates a week. */
export function useTryIt(done: () => void) {
  const [stage, setStage] = useState<TryStage>('sender')
  const action = useAction<{ name: string; fromName: string; timezone: string }, void>({
    async act(api, { name, fromName, timezone }) {
      setStage('sender')
      const existing = await api.sendingAccounts.list({ limit: 100 }).toArray({ max: 100 })
      const sender =
        existing.find(({ provider, status }) => provider === 'sandbox' && status === 'active') ??
        (await api.sendingAccounts.create({
          email: 'you@sender.test',
          fromName,
          provider: 'sandbox',
          timezone,
          minGapSeconds: 0,
          maxGapSeconds: 0,
        }))
      setStage('campaign')
      await api.campaigns.launch(tryCampaign(name, sender.id, timezone))
      setStage('clock')
      await api.sandbox.clock.advance({ by: '7d' }, { timeoutMs: advanceTimeoutMs })
      setStage('done')
    },
    stale,
    done,
  })
  return { ...action, stage }
}
