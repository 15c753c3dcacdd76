import type { CampaignStatus } from '@overture/sdk'
import type { Access } from './access.ts'

/** In these it mails by itself, now or when its day comes or a lead is added. */
const running: readonly CampaignStatus[] = ['scheduled', 'active', 'completed']

/**
 * Why a campaign can't be touched without a person: what is changed in a live one that runs would leave unseen. Null:
 * it can. In the test environment nothing leaves.
 */
export function runsByItself({ status }: { status: CampaignStatus }, { environment }: Access): string | null {
  if (environment === 'test' || !running.includes(status)) return null
  return `The campaign is ${status}: what is changed now would be sent without anybody having seen it. Pause it first; send resumes it.`
}
