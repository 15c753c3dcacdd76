import type { CampaignStatus } from '@overture/sdk'
import type { Access } from './access.ts'

/** In these statuses the campaign sends mail automatically, either now, on its start day, or when a lead is added. */
const running: readonly CampaignStatus[] = ['scheduled', 'active', 'completed']

/**
 * Why a campaign can't be changed without a person: a change of a running live campaign would be sent unseen. Returns null if it can be
 * changed. In the test environment no mail is sent.
 */
export function runsByItself({ status }: { status: CampaignStatus }, { environment }: Access): string | null {
  if (environment === 'test' || !running.includes(status)) return null
  return `The campaign is ${status}, so a change would be sent without review. Pause it first. The tool send resumes it.`
}
