import { z } from 'zod'
import { facts, tool } from '../tool.ts'

const daysMax = 21

export const campaignReport = tool({
  name: 'campaign_report',
  title: 'Campaign report',
  description: 'Statistics of a campaign, its waiting leads with reasons, and upcoming sends per day.',
  needs: 'read',
  input: z.strictObject({ campaignId: z.string() }),
  async run({ overture }, { campaignId }) {
    const [campaign, stats, waiting, forecast] = await Promise.all([
      overture.campaigns.get(campaignId),
      overture.campaigns.stats(campaignId),
      overture.campaigns.followupStatus(campaignId),
      overture.campaigns.forecast(campaignId),
    ])
    const branches = campaign.steps.some((step) => step.type === 'branch')
    return facts({
      campaign: { id: campaign.id, name: campaign.name, status: campaign.status, statusReason: campaign.statusReason },
      stats,
      ...(branches && { paths: (await overture.campaigns.analytics(campaignId)).paths }),
      waiting,
      forecast: {
        days: forecast.days.slice(0, daysMax).map(({ date, first, followUp }) => ({ date, first, followUp })),
        finishesOn: forecast.finishesOn,
        unscheduled: forecast.unscheduled,
        byBranch: forecast.byBranch,
        handedOver: forecast.handedOver,
        arrivals: forecast.arrivals,
      },
    })
  },
})
