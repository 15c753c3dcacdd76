import { aiEndpoints as api } from '@overture/contract/ai.ts'
import { pageOf } from '../platform/http/paging.ts'
import { command, phased, query, type Route } from '../platform/http/route.ts'
import { type AiTools, generateEmail, generatePreview, offeredModels, whyNotFor } from './generate.commands.ts'
import { presentModel } from './models.ts'
import {
  bulkDeletePresets,
  createPreset,
  deletePreset,
  getPreset,
  listPresets,
  presentPreset,
  updatePreset,
} from './presets.commands.ts'

export function aiRoutes(tools: AiTools): Route[] {
  return [
    query(api.listModels, async ({ app, tenant }, { query: { page = 1, limit } }) => {
      const models = offeredModels(app)
      const shown = models.slice((page - 1) * limit, page * limit)
      const results = await Promise.all(
        shown.map(async (entry) => presentModel(entry, await whyNotFor(app, tenant, entry))),
      )
      return { results, pagination: pageOf({ page, limit, totalCount: models.length }), nextCursor: null }
    }),
    phased(api.generatePreview, async ({ app, tenant }, { body }, answer) => {
      const preview = await generatePreview(app, tenant, tools, body)
      return answer(() => Promise.resolve(preview))
    }),
    phased(api.generateEmail, ({ app, tenant, now }, { body }, answer) =>
      generateEmail(app, tenant, { tools, input: body, now, answer }),
    ),
    query(api.listPresets, ({ app, tenant }, input) => listPresets(app.db, tenant, input.query)),
    command(api.createPreset, ({ tenant, now }, { body }, tx) => createPreset(tx, tenant, { input: body, now })),
    query(api.getPreset, async ({ app, tenant }, { params }) =>
      presentPreset(await getPreset(app.db, tenant, params.id)),
    ),
    command(api.updatePreset, ({ tenant, now }, { params, body }, tx) =>
      updatePreset(tx, tenant, { id: params.id, input: body, now }),
    ),
    command(api.deletePreset, ({ tenant }, { params }, tx) => deletePreset(tx, tenant, params.id)),
    command(api.bulkDeletePresets, ({ tenant }, { body }, tx) => bulkDeletePresets(tx, tenant, body.ids)),
  ]
}
