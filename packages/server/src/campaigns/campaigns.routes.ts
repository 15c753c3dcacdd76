import { copyCampaign } from './copy-campaign.commands.ts'
import { answerList, byId } from '../platform/http/paging.ts'
import { campaignDocumentEndpoints } from '@overture/contract/campaigns/campaign-document.ts'
import { campaignEndpoints } from '@overture/contract/campaigns/campaign-endpoints.ts'
import { importEndpoints } from '@overture/contract/campaigns/imports.ts'
import { leadsBulkEndpoints } from '@overture/contract/campaigns/leads-bulk.ts'
import { leadEndpoints } from '@overture/contract/campaigns/leads.ts'
import { AppError, notFound } from '@overture/contract/errors.ts'
import { normalizeEmail } from '@overture/contract/addresses.ts'
import { command, phased, query, type BodyCheck, type Route } from '../platform/http/route.ts'
import { countImports, listImports } from '../platform/imports/imports.sql.ts'
import { receiveUpload } from '../platform/imports/uploads.shell.ts'
import { linksReachRecipients } from '../platform/public-url.ts'
import { newId } from '../platform/ids.ts'
import { exportCampaign, importCampaign, inDocument } from './campaign-document.commands.ts'
import { bulkDeleteCampaigns, deleteCampaign } from './delete-campaigns.commands.ts'
import {
  createCampaign,
  launchCampaign,
  pauseCampaignByUser,
  startCampaign,
  updateCampaign,
} from './campaigns.commands.ts'
import { getCampaign, getCampaignLead, listCampaignLeads, listCampaigns } from './campaigns.queries.ts'
import { findCampaignRow } from './campaigns.sql.ts'
import type { StartTools } from './campaign-start.commands.ts'
import { checkLeadHeader } from './imports/import-columns.ts'
import { getImport, importErrors, leadImportKind, presentImport } from './imports/imports.commands.ts'
import { inspectUpload } from './imports/inspect.shell.ts'
import { changeLeads } from './steering/bulk-leads.commands.ts'
import { changeCompanyLeads } from './steering/company-leads.commands.ts'
import { addLeads } from './leads/leads.commands.ts'
import { updateLead } from './steering/update-lead.commands.ts'
import { newSequenceIssues } from './sequence/sequence.ts'
import { sentTexts, templateIssues } from './sequence/sent-texts.ts'
import type { TemplateRenderer } from '../templates/index.ts'
import { revealLeads, type RevealPeople } from './leads/reveal-leads.commands.ts'

const api = {
  ...campaignEndpoints,
  ...campaignDocumentEndpoints,
  ...leadEndpoints,
  ...leadsBulkEndpoints,
  ...importEndpoints,
}

interface CampaignTools extends StartTools {
  /** If absent, adding leads with `reveal` returns 503. */
  reveal?: RevealPeople
}

export function campaignRoutes(tools: CampaignTools): Route[] {
  return [
    ...contentRoutes(tools),
    ...documentRoutes(tools),
    ...runningRoutes(tools),
    ...leadRoutes(tools.reveal ?? cannotReveal),
    ...importRoutes(),
  ]
}

function contentRoutes(tools: CampaignTools): Route[] {
  const checkNew = sequenceCheck(tools.renderer, newSequenceIssues)
  const checkTexts = sequenceCheck(tools.renderer, templateIssues)
  return [
    command(
      api.createCampaign,
      ({ tenant, now }, { body }, tx) => createCampaign(tx, tenant, { input: body, now, ...tools }),
      checkNew,
    ),
    command(
      api.launchCampaign,
      async (context, { body }, tx) => {
        const { app, tenant, now } = context
        if (body.campaignId !== undefined) context.setStatus(200)
        const linksReach = linksReachRecipients(app.config)
        return launchCampaign(tx, tenant, { input: body, secrets: app.secrets, linksReach, now, ...tools })
      },
      checkNew,
    ),
    query(api.listCampaigns, ({ app, tenant }, input) => listCampaigns(app.db, tenant, input.query)),
    query(api.getCampaign, ({ app, tenant }, { params }) => getCampaign(app.db, tenant, params.id)),
    command(
      api.updateCampaign,
      async (context, { params, body }, tx) => {
        const { tenant, now } = context
        context.was(await getCampaign(tx, tenant, params.id))
        return updateCampaign(tx, tenant, { id: params.id, input: body, now, ...tools })
      },
      checkTexts,
    ),
    command(api.deleteCampaign, ({ tenant, now }, { params }, tx) =>
      deleteCampaign(tx, tenant, { id: params.id, now }),
    ),
    command(api.copyCampaign, ({ app: { secrets }, tenant, now }, { params, body }, tx) =>
      copyCampaign(tx, tenant, { id: params.id, ...body, secrets, now }),
    ),
    command(api.bulkDeleteCampaigns, ({ tenant, now }, { body }, tx) =>
      bulkDeleteCampaigns(tx, tenant, { ids: body.ids, now }),
    ),
  ]
}

function documentRoutes(tools: CampaignTools): Route[] {
  const checkNew = sequenceCheck(tools.renderer, newSequenceIssues)
  return [
    query(api.exportCampaign, ({ app, tenant }, { params }) => exportCampaign(app.db, tenant, params.id)),
    command(
      api.importCampaign,
      ({ tenant, now }, { body }, tx) => importCampaign(tx, tenant, { document: body.document, now, ...tools }),
      async (body, tenant) =>
        inDocument(await checkNew((body as { document?: unknown } | null | undefined)?.document, tenant)),
    ),
  ]
}

function runningRoutes(tools: CampaignTools): Route[] {
  return [
    command(api.startCampaign, ({ app, tenant, now }, { params }, tx) =>
      startCampaign(tx, tenant, {
        action: 'start',
        id: params.id,
        linksReach: linksReachRecipients(app.config),
        now,
        ...tools,
      }),
    ),
    command(api.pauseCampaign, ({ tenant, now }, { params }, tx) =>
      pauseCampaignByUser(tx, tenant, { id: params.id, now }),
    ),
    command(api.resumeCampaign, ({ app, tenant, now }, { params }, tx) =>
      startCampaign(tx, tenant, {
        action: 'resume',
        id: params.id,
        linksReach: linksReachRecipients(app.config),
        now,
        ...tools,
      }),
    ),
  ]
}

function leadRoutes(reveal: RevealPeople): Route[] {
  return [
    query(api.listCampaignLeads, ({ app, tenant, now }, { params, query: filter }) =>
      listCampaignLeads(app.db, tenant, {
        ...filter,
        ...(filter.email === undefined ? {} : { email: normalizeEmail(filter.email).email }),
        campaignId: params.id,
        now,
      }),
    ),
    phased(api.addCampaignLeads, async ({ app, tenant, now }, { params, body }, answer) => {
      const campaignId = params.id
      if (!(await findCampaignRow(app.db, tenant, campaignId))) throw notFound()
      const revealed = body.reveal
        ? await revealLeads(reveal, tenant, { input: body, now })
        : { leads: body.leads, cost: {} }
      return answer(async (tx) => ({
        ...(await addLeads(tx, tenant, {
          campaignId,
          input: { ...body, leads: revealed.leads },
          secrets: app.secrets,
          now,
        })),
        ...revealed.cost,
      }))
    }),
    command(api.bulkUpdateCampaignLeads, ({ tenant, now }, { params, body }, tx) =>
      changeLeads(tx, tenant, { ...body, campaignId: params.id, now }),
    ),
    command(api.updateCompanyLeads, ({ tenant, now }, { body }, tx) =>
      changeCompanyLeads(tx, tenant, { ...body, now }),
    ),
    query(api.getCampaignLead, ({ app, tenant, now }, { params }) =>
      getCampaignLead(app.db, tenant, { campaignId: params.id, leadId: params.leadId, now }),
    ),
    command(api.updateCampaignLead, ({ tenant, now }, { params, body }, tx) =>
      updateLead(tx, tenant, { campaignId: params.id, leadId: params.leadId, input: body, now }),
    ),
  ]
}

function importRoutes(): Route[] {
  return [
    phased(
      api.importCampaignLeads,
      async ({ app, tenant, caller, now }, { params, query: options, upload }, answer) => {
        if (!(await findCampaignRow(app.db, tenant, params.id))) throw notFound()
        const columns = options.columns ?? null
        const request = {
          id: newId('imp'),
          target: { campaignId: params.id, ...leadOptions(options) },
          jobKind: leadImportKind,
          checkHeader: (header: readonly string[]) => checkLeadHeader(header, columns),
          keyId: caller.id,
          columns,
          encoding: options.encoding ?? null,
          sheet: options.sheet ?? null,
          now,
        }
        return receiveUpload(app, tenant, { ...request, bytes: upload }, (complete) =>
          answer(async (tx) => {
            await complete(tx)
            return presentImport(await getImport(tx, tenant, request.id), app.config.publicUrl)
          }),
        )
      },
    ),
    phased(api.inspectImport, async (_context, { query: options, upload }, answer) => {
      const found = await inspectUpload(upload, { encoding: options.encoding ?? null, sheet: options.sheet ?? null })
      return answer(async () => found)
    }),
    query(api.listImports, ({ app, tenant }, { query: listQuery }) => {
      const campaignId = listQuery.campaignId ?? null
      return answerList(listQuery, {
        key: byId,
        list: (range) => listImports(app.db, tenant, campaignId, range),
        count: () => countImports(app.db, tenant, campaignId),
        present: (rows) => rows.map((row) => presentImport(row, app.config.publicUrl)),
      })
    }),
    query(api.getImport, async ({ app, tenant }, { params }) =>
      presentImport(await getImport(app.db, tenant, params.id), app.config.publicUrl),
    ),
    query(api.getImportErrors, (context, { params, query: { limit } }) => {
      context.setHeader('content-type', 'text/csv; charset=utf-8')
      context.setHeader('content-disposition', 'attachment; filename="errors.csv"')
      return importErrors(context.app.db, context.tenant, { id: params.id, limit })
    }),
  ]
}

interface LeadOptions {
  onDuplicate: 'skip' | 'update'
  verify?: boolean | undefined
  skipIfInOtherCampaign?: boolean | undefined
}

function leadOptions({ onDuplicate, verify = false, skipIfInOtherCampaign = false }: LeadOptions) {
  return { onDuplicate, verify, skipIfInOtherCampaign }
}

/** Checks all texts of a request body together, each as it was sent. */
function sequenceCheck(renderer: TemplateRenderer, issuesIn: typeof templateIssues): BodyCheck {
  return async (body, tenant) => {
    const sent = (body ?? {}) as { steps?: unknown; entry?: unknown }
    return issuesIn(sent, await renderer.check(tenant, sentTexts(sent.steps)))
  }
}

const cannotReveal: RevealPeople = () =>
  Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'Lead search is not configured for this environment.'))
