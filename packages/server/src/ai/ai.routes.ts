import { aiEndpoints as api } from '@overture/contract/ai/ai-endpoints.ts'
import { answerList, byPosition } from '../platform/http/paging.ts'
import { command, phased, query, type Route } from '../platform/http/route.ts'
import type { App } from '../platform/app.ts'
import type { Tenant } from '../platform/tenant.ts'
import { streamEmail } from './generations/email-stream.shell.ts'
import { listGenerations } from './generations/generations.queries.ts'
import { type AiTools, generateEmail, generatePreview } from './generations/generate.shell.ts'
import { type ModelEntry, presentModel, type RealProvider, realProvider } from './providers/models.ts'
import { sentPromptIssues } from './presets/preset.ts'
import { probeProvider, whyNotListed } from './providers/provider-models.client.ts'
import { offeredModels, whyNotFor } from './generations/write.shell.ts'
import {
  bulkDeletePresets,
  createPreset,
  deletePreset,
  getPreset,
  listPresets,
  presentPreset,
  updatePreset,
} from './presets/presets.commands.ts'

export function aiRoutes(tools: AiTools): Route[] {
  return [
    query(api.listModels, ({ app, tenant }, { query: listQuery }) => {
      const models = offeredModels(app).map((model, position) => ({ model, position }))
      return answerList(listQuery, {
        key: byPosition,
        list: async ({ after, offset, limit }) => models.slice(after === null ? offset : after + 1).slice(0, limit),
        count: async () => models.length,
        present: (shown) =>
          presentModels(
            app,
            tenant,
            shown.map(({ model }) => model),
          ),
      })
    }),
    phased(api.generatePreview, async ({ app, tenant }, { body }, answer) => {
      const preview = await generatePreview(app, tenant, tools, body)
      return answer(() => Promise.resolve(preview))
    }),
    phased(api.generateEmail, ({ app, tenant, now, requestId, wantsEvents, disconnected }, { body }, answer) => {
      const generating = { tools, input: body, now, answer, disconnected }
      return wantsEvents
        ? streamEmail(app, tenant, { ...generating, requestId })
        : generateEmail(app, tenant, generating)
    }),
    query(api.listGenerations, ({ app, tenant }, input) => listGenerations(app.db, tenant, input.query)),
    query(api.listPresets, ({ app, tenant }, input) => listPresets(app.db, tenant, input.query)),
    command(
      api.createPreset,
      ({ tenant, now }, { body }, tx) => createPreset(tx, tenant, { input: body, now }),
      sentPromptIssues,
    ),
    query(api.getPreset, async ({ app, tenant }, { params }) =>
      presentPreset(await getPreset(app.db, tenant, params.id)),
    ),
    command(
      api.updatePreset,
      ({ tenant, now }, { params, body }, tx) => updatePreset(tx, tenant, { id: params.id, input: body, now }),
      sentPromptIssues,
    ),
    command(api.deletePreset, ({ tenant }, { params }, tx) => deletePreset(tx, tenant, params.id)),
    command(api.bulkDeletePresets, ({ tenant }, { body }, tx) => bulkDeletePresets(tx, tenant, body.ids)),
  ]
}

// Each provider is probed once, no matter how many of its models are listed.
async function presentModels(app: App, tenant: Tenant, shown: readonly ModelEntry[]) {
  const usable = shown.filter((entry) => entry.provider !== 'builtin' && whyNotFor(app, tenant, entry) === null)
  const probes = new Map<RealProvider, ReturnType<typeof probeProvider>>()
  for (const provider of new Set(usable.map(realProvider))) probes.set(provider, probeProvider(app, provider))
  return Promise.all(
    shown.map(async (entry) => {
      const reason = whyNotFor(app, tenant, entry)
      if (reason !== null || entry.provider === 'builtin') return presentModel(entry, reason)
      const probe = await probes.get(entry.provider)
      return presentModel(entry, probe === undefined ? null : whyNotListed(probe, entry.model))
    }),
  )
}
