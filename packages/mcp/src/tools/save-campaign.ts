import type {
  CampaignEntryInput,
  CampaignSettingsInput,
  CheckedTexts,
  ScheduleInput,
  Step,
  StepInput,
} from '@overture/sdk'
import { z } from 'zod'
import { runsByItself } from '../campaign-states.ts'
import { facts, refusal, tool, type ToolContext } from '../tool.ts'

const stepsMax = 20
const previewsMax = 2
const hintsMax = 20

const variant = z.strictObject({
  id: z.string().optional(),
  subject: z.string().max(500).optional(),
  body: z.string().max(20_000).describe('Liquid: {{ firstName | default: "there" }}'),
  weight: z.int().min(0).max(100).optional(),
})

const input = z.strictObject({
  campaignId: z.string().optional().describe('to edit; default: a new draft'),
  name: z.string().max(200).optional(),
  steps: z
    .array(
      z.strictObject({
        id: z.string().optional().describe('keep it when editing'),
        key: z.string().max(40).optional().describe('a key for branches'),
        type: z.enum(['email', 'branch', 'task']).optional(),
        waitBefore: z
          .strictObject({ value: z.int().min(0), unit: z.string() })
          .optional()
          .describe('days, hours …'),
        sameThread: z.boolean().optional(),
        variants: z.array(variant).max(8).optional().describe('for an email'),
        branches: z
          .array(z.record(z.string(), z.unknown()))
          .max(8)
          .optional()
          .describe('{label, when, goTo}: overture://docs/branches'),
        // oxlint-disable-next-line unicorn/no-thenable
        then: z.string().nullable().optional().describe("a later step, or 'end'"),
      }),
    )
    .max(stepsMax)
    .optional()
    .describe('all steps, in order'),
  sendingAccountIds: z.array(z.string()).max(100).optional(),
  schedule: z.record(z.string(), z.unknown()).optional().describe('fields: overture://operations/campaigns.update'),
  settings: z.record(z.string(), z.unknown()).optional(),
  entry: z
    .record(z.string(), z.unknown())
    .nullable()
    .optional()
    .describe('{from, when}: takes over leads of other campaigns'),
})

export const saveCampaign = tool({
  name: 'save_campaign',
  title: 'Save a campaign',
  description:
    'Creates a draft or edits a campaign that is not running. Never starts it. Returns problems, previews and forecast.',
  needs: 'write',
  input,
  async run(toolContext, { campaignId, ...given }) {
    const { overture, access } = toolContext
    if (campaignId !== undefined) {
      const runs = runsByItself(await overture.campaigns.get(campaignId), access)
      if (runs !== null) return refusal(runs)
    }
    const saved = await save(toolContext, campaignId, given)
    const [texts, forecast, { blockers, warnings, capacityPerDay }] = await Promise.all([
      Promise.all(saved.steps.map((step) => checked(toolContext, saved.id, step))),
      overture.campaigns.forecast(saved.id),
      overture.campaigns.preflight(saved.id),
    ])
    return facts({
      campaign: { id: saved.id, name: saved.name, status: saved.status, leadCount: saved.leadCount },
      // The reasons why the API would refuse a start, or why no lead would get mail.
      blockers,
      warnings,
      capacityPerDay,
      ...(saved.leadCount === 0 && { note: 'It has no leads yet. Use add_leads.' }),
      steps: texts,
      forecast: {
        finishesOn: forecast.finishesOn,
        unscheduled: forecast.unscheduled,
        firstDays: forecast.days.slice(0, 5),
      },
    })
  },
})

type Given = Omit<z.output<typeof input>, 'campaignId'>

/** Steps and texts are passed on unchanged. If the API refuses one, it names the field. */
function save({ overture }: ToolContext, campaignId: string | undefined, given: Given) {
  const { name, steps, sendingAccountIds, schedule, settings, entry } = given
  const body = {
    ...(name !== undefined && { name }),
    ...(steps !== undefined && { steps: steps as StepInput[] }),
    ...(sendingAccountIds !== undefined && { sendingAccountIds }),
    ...(schedule !== undefined && { schedule: schedule as ScheduleInput }),
    ...(settings !== undefined && { settings: settings as CampaignSettingsInput }),
    ...(entry !== undefined && { entry: entry as unknown as CampaignEntryInput | null }),
  }
  if (campaignId !== undefined) return overture.campaigns.update(campaignId, body)
  return overture.campaigns.create(body as typeof body & { name: string })
}

async function checked({ overture }: ToolContext, campaignId: string, { id, variants }: Step) {
  const words = await Promise.all(
    variants.map(async ({ id: variantId, subject, body }) => {
      const found: CheckedTexts = await overture.templates.check({ campaignId, stepId: id, subject, body })
      return {
        variantId,
        issues: found.issues,
        hints: found.hints.slice(0, hintsMax).map(({ code, severity, message }) => ({ code, severity, message })),
        missing: found.variables.filter(({ missing }) => missing > 0),
        previews: found.previews.slice(0, previewsMax).map(({ leadId, subject: line, text, problem }) => ({
          leadId,
          subject: line,
          text,
          problem,
        })),
      }
    }),
  )
  return { stepId: id, variants: words }
}
