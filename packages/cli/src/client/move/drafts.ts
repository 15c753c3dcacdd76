import { createHash } from 'node:crypto'
import { ApiError, type Campaign, type CreateCampaignInput } from '@overture/sdk'
import { missingVariables, type MovedCampaign } from './moved.ts'
import type { KnownRows, Move } from './opt-outs.ts'

const sameNameMax = 100

/** Creates the campaigns as drafts, or finds the drafts of an earlier run. A refused campaign is reported and missing from the result. */
export async function makeDrafts(move: Move, { columns }: KnownRows): Promise<Map<MovedCampaign, Campaign>> {
  const made = new Map<MovedCampaign, Campaign>()
  for (const { file, campaigns } of move.campaigns) {
    for (const moved of campaigns) {
      const missing = missingVariables(moved, columns).map(
        (name) => `No column contains ${name}. Leads without it get no message until it has a value or a default.`,
      )
      for (const why of [...moved.notes, ...missing])
        await move.report.add({ outcome: 'note', file, campaign: moved.name, why })
      const draft = await createDraft(move, file, moved)
      if (draft !== null) made.set(moved, draft)
    }
  }
  return made
}

async function createDraft({ overture, report }: Move, file: string, moved: MovedCampaign): Promise<Campaign | null> {
  const { name, steps, schedule, settings } = moved
  const body: CreateCampaignInput = { name: name.trim().slice(0, 200).toWellFormed(), steps, schedule, settings }
  const item = { file, campaign: moved.name }
  for await (const campaign of overture.campaigns.list({ q: body.name, limit: sameNameMax })) {
    if (!isSame(campaign, body)) continue
    await report.add({ outcome: 'campaign there already', ...item, why: campaign.id })
    return campaign
  }
  try {
    const campaign = await created(overture, body)
    await report.add({ outcome: 'campaign made', ...item, why: campaign.id })
    return campaign
  } catch (error) {
    if (!ApiError.is(error, 'VALIDATION_ERROR')) throw error
    await report.add({ outcome: 'campaign refused', ...item, why: error.message })
    return null
  }
}

/**
 * Creates a draft. The idempotency key is derived from the content, so two runs at once create one draft. A draft that was deleted since is
 * created again.
 */
async function created(overture: Move['overture'], body: CreateCampaignInput): Promise<Campaign> {
  const idempotencyKey = `move-${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 48)}`
  const { id } = await overture.campaigns.create(body, { idempotencyKey })
  try {
    return await overture.campaigns.get(id)
  } catch (error) {
    if (!ApiError.is(error, 'NOT_FOUND')) throw error
    return overture.campaigns.create(body)
  }
}

function isSame(campaign: Campaign, { name, steps = [] }: CreateCampaignInput): boolean {
  const texts = (all: readonly { variants?: readonly { subject?: string; body?: string }[] | undefined }[]) =>
    JSON.stringify(all.map(({ variants = [] }) => variants.map(({ subject = '', body = '' }) => [subject, body])))
  return campaign.name === name && texts(campaign.steps) === texts(steps)
}
