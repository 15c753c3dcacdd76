import type { Campaign } from '@overture/contract/campaigns/campaigns.ts'
import { type ChangeEffects, dryRunSampleMax } from '@overture/contract/delivery/dry-run.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { updateCampaign, type CampaignChange } from './campaigns.commands.ts'
import { EffectsCount } from './change-effects.ts'
import { listUncontacted } from './leads/uncontacted.sql.ts'

/** Makes a change with the code of the real update and returns its effects. The caller rolls the transaction back. */
export async function tryCampaignChange(
  tx: Transaction,
  tenant: Tenant,
  change: Omit<CampaignChange, 'watch'>,
): Promise<{ campaign: Campaign; effects: ChangeEffects }> {
  const effects = new EffectsCount()
  // Read before the change, because the change may move other leads to the start of the sequence.
  const { leads, count } = await listUncontacted(tx, tenant, { campaignId: change.id, limit: dryRunSampleMax })
  const campaign = await updateCampaign(tx, tenant, {
    ...change,
    watch: {
      onSteps: (before, after) => effects.setSteps(before, after),
      onMoved: (before, after) => effects.add(before, after),
      onVoided: (count) => effects.addVoided(count),
    },
  })
  if (effects.beginsElsewhere) {
    for (const [index, lead] of leads.entries()) {
      // The last lead of the sample counts for all leads that are not in the sample.
      const isLast = index === leads.length - 1
      effects.add(lead, lead, isLast ? count - index : 1)
    }
  }
  return { campaign, effects: effects.effects() }
}
