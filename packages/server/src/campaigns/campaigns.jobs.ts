import type { JobHandler } from '../platform/jobs/job.ts'
import { beginScheduledCampaign } from './campaign-start.commands.ts'
import { deleteCampaignRemains } from './campaigns.sql.ts'
import { runImport } from './imports/imports.commands.ts'
import { discardUpload } from './imports/uploads.commands.ts'

const purgeBatch = 5000

export function campaignJobs(): JobHandler[] {
  return [
    {
      kind: 'campaigns.begin',
      maxAttempts: 20,
      run: ({ app, tenant, now }, payload) =>
        app.db.transaction((tx) =>
          beginScheduledCampaign(tx, tenant, { campaignId: String(payload['campaignId']), now }),
        ),
    },
    { kind: 'campaigns.import', maxAttempts: 20, run: runImport },
    { kind: 'campaigns.discard_upload', maxAttempts: 20, run: discardUpload },
    {
      kind: 'campaigns.purge',
      maxAttempts: 20,
      run: async ({ app, tenant, signal }, payload) => {
        const campaignId = String(payload['campaignId'])
        for (let gone = 1; gone > 0 && !signal.aborted;)
          gone = await deleteCampaignRemains(app.db, tenant, campaignId, purgeBatch)
      },
    },
  ]
}
