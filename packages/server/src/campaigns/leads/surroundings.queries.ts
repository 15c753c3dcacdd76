import { withHolidays } from '../../holidays/index.ts'
import type { CampaignRow } from '../campaigns.sql.ts'
import type { LeadSurroundings } from './lead.ts'

/** The fields of the campaign that the view of a lead needs. */
export async function readSurroundings(campaign: CampaignRow, now: Date): Promise<LeadSurroundings> {
  return { ...campaign, schedule: await withHolidays(campaign.schedule), now }
}
