import { updateCampaignHolds } from '../../campaigns/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { campaignHold } from '@overture/planner/campaign-outcome.ts'

type CampaignHold = ReturnType<typeof campaignHold>

/** The holds of campaigns that plans found. No other code writes them in the meantime, so each change is written once. */
export class CampaignHolds {
  readonly #db: Executor
  readonly #tenant: Tenant
  readonly #noted = new Map<string, CampaignHold>()
  readonly #written = new Map<string, CampaignHold>()

  constructor(db: Executor, tenant: Tenant) {
    this.#db = db
    this.#tenant = tenant
  }

  note(hold: CampaignHold): void {
    this.#noted.set(hold.campaignId, hold)
  }

  /** Writes the holds that changed since the last write. */
  async write(): Promise<void> {
    const changed = [...this.#noted.values()].filter((hold) => !isSame(hold, this.#written.get(hold.campaignId)))
    await updateCampaignHolds(this.#db, this.#tenant, changed)
    for (const hold of changed) this.#written.set(hold.campaignId, hold)
    this.#noted.clear()
  }

  /** Other code has written holds, so the known ones are dropped. */
  forget(): void {
    this.#written.clear()
  }
}

function isSame(hold: CampaignHold, written: CampaignHold | undefined): boolean {
  return hold.reason === written?.reason && hold.until?.getTime() === written?.until?.getTime()
}
