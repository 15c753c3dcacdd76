import type { Stats } from '@overture/sdk'

export interface CampaignRates {
  reply: number
  interested: number
  unsubscribe: number
  bounce: number
}

type Counts = Pick<Stats, 'contacted' | 'sent' | 'uniqueReplied' | 'interested' | 'unsubscribed' | 'bounced'>

/**
 * The rates that the console shows for a whole campaign, from 0 to 1. Replies, interest and opt-outs are shares of the people
 * contacted, so that follow-ups don't lower them. Bounces are a share of the mails sent. The API's `rates` divide by delivered mails.
 */
export function campaignRates({
  contacted,
  sent,
  uniqueReplied,
  interested,
  unsubscribed,
  bounced,
}: Counts): CampaignRates {
  return {
    reply: share(uniqueReplied, contacted),
    interested: share(interested, contacted),
    unsubscribe: share(unsubscribed, contacted),
    bounce: share(bounced, sent),
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
