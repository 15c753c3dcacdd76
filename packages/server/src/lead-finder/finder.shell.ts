import { createHash } from 'node:crypto'
import { AppError } from '@overture/contract/errors.ts'
import type { App } from '../platform/app.ts'
import type { Tenant } from '../platform/tenant.ts'
import { createApollo } from './providers/apollo.client.ts'
import { loadDemoPeople } from './store/demo-people.shell.ts'
import { findDataset, type Dataset, type DatasetState } from './store/finder-store.sql.ts'
import type { IndexBackend } from './search-index/index-backend.ts'
import { IndexClient } from './search-index/search-thread.client.ts'
import { findScrollToken, returnProviderUnits, takeProviderUnits, upsertScrollToken } from './lead-finder.sql.ts'
import { ClusterIndex } from './cluster/cluster-index.shell.ts'
import { createPdl } from './providers/pdl.client.ts'
import { createProspeo } from './providers/prospeo.client.ts'
import { ProviderError, type LeadProvider, type ProviderCall } from './providers/provider.ts'
import { peopleDataUrl } from './provider-urls.ts'

interface LeadFinderOptions {
  app: App
  /** The index thread opens its own connections to this database. */
  databaseUrl: string
  /** Index snapshots are kept in the subfolder `finder/`. */
  dataFolder: string
  /** Up to this number of people a change rebuilds the index. Above it, changes are kept in a delta. */
  rebuildPeopleMax?: number
}

/** The source of a tenant's search results. */
export type LeadSource =
  | { kind: 'local'; dataset: Dataset; state: DatasetState }
  | { kind: 'remote'; provider: LeadProvider }
  | { kind: 'none' }

export interface LeadFinder {
  app: App
  index: IndexBackend
  source(tenant: Tenant): Promise<LeadSource>
  /** Loads the demo people if they are missing. Searches in test environments wait for it. */
  loadDemo(): Promise<void>
  stop(): Promise<void>
}

const rebuildPeopleMax = 20_000
const deltaPeopleMax = 50_000

/** One per process. It owns the index thread, which starts at the first search. */
export function createLeadFinder(options: LeadFinderOptions): LeadFinder {
  const { app } = options
  const index = createIndex(options)
  const provider = createProvider(app)
  let demo: Promise<unknown> | null = null
  const loadDemo = async () => {
    demo ??= loadDemoPeople(app.db, { now: app.clock.now() }).catch((error: unknown) => {
      demo = null
      throw error
    })
    await demo
  }
  return {
    app,
    index,
    loadDemo,
    stop: () => index.stop(),
    async source(tenant) {
      // The test environment never calls a paid provider (docs/contract.md, "Accounts and keys").
      if (tenant.environment === 'live' && provider) return { kind: 'remote', provider }
      if (tenant.environment === 'live' && app.config.finder.provider !== 'local') return { kind: 'none' }
      const dataset = tenant.environment === 'live' ? 'live' : 'demo'
      let state = await findDataset(app.db, dataset)
      if (!state && dataset === 'demo') {
        await loadDemo()
        state = await findDataset(app.db, dataset)
      }
      return state && state.people + state.companies > 0 ? { kind: 'local', dataset, state } : { kind: 'none' }
    },
  }
}

/** Our own index in a thread of this process, or a search cluster if one is configured. */
function createIndex({ app, databaseUrl, ...options }: LeadFinderOptions): IndexBackend {
  const cluster = app.config.finder.cluster
  if (cluster) return new ClusterIndex({ ...cluster, databaseUrl, log: app.log, clock: app.clock })
  return new IndexClient({
    databaseUrl,
    folder: `${options.dataFolder}/finder`,
    rebuildPeopleMax: options.rebuildPeopleMax ?? rebuildPeopleMax,
    deltaPeopleMax,
  })
}

interface ProviderUse<Result> {
  provider: LeadProvider
  call: ProviderCall
  /** Whether the provider doesn't charge for this result, so that the budget is returned. */
  isUncharged?: (result: Result) => boolean
}

/** Runs one provider call within the month's budget. Any failure of the provider becomes 503 and returns the budget. */
export async function withinBudget<Result>(
  app: App,
  use: ProviderUse<Result>,
  run: () => Promise<Result>,
): Promise<Result> {
  const taken = await takeUnits(app, use.provider.name, use.provider.countUnits(use.call))
  try {
    const result = await run()
    if (use.isUncharged?.(result)) await returnProviderUnits(app.db, taken)
    return result
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    await returnProviderUnits(app.db, taken)
    app.log.warn({
      event: 'lead_finder.provider_failed',
      provider: use.provider.name,
      status: error.status,
      reason: error.message,
    })
    throw new AppError('SERVICE_UNAVAILABLE', 'Lead search is not available right now.')
  }
}

async function takeUnits(app: App, provider: LeadProvider['name'], units: number) {
  const taken = { provider, units, month: `${app.clock.now().toISOString().slice(0, 7)}-01` }
  if (!(await takeProviderUnits(app.db, { ...taken, budget: app.config.finder.monthlyBudget }))) {
    throw new AppError('SERVICE_UNAVAILABLE', 'The monthly provider budget for lead search is exhausted.')
  }
  return taken
}

export function notConfigured(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'Lead search is not configured for this environment.')
}

function createProvider(app: App): LeadProvider | null {
  const { provider, apiKey } = app.config.finder
  const baseUrl = peopleDataUrl(app.config.finder)
  if (apiKey === null || baseUrl === null) return null
  switch (provider) {
    case 'prospeo':
      return createProspeo({ apiKey, baseUrl })
    case 'pdl':
      return createPdl({
        apiKey,
        baseUrl,
        tokens: scrollTokens(app),
        clock: app.clock,
        spend: async (units) => void (await takeUnits(app, 'pdl', units)),
      })
    case 'apollo':
      return createApollo({ apiKey, baseUrl })
    case 'local':
    case 'none':
      return null
    default:
      return provider satisfies never
  }
}

function scrollTokens(app: App) {
  const digestQuery = (query: string) => createHash('sha256').update(query).digest()
  return {
    find: (query: string, page: number) =>
      findScrollToken(app.db, { provider: 'pdl', digest: digestQuery(query), page }),
    save: (query: string, page: number, token: string) =>
      upsertScrollToken(app.db, { provider: 'pdl', digest: digestQuery(query), page, token, now: app.clock.now() }),
  }
}
