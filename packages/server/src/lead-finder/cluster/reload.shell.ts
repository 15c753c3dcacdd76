import { AppError } from '@overture/contract/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Dataset } from '../records/dataset.ts'
import { ProviderError } from '../providers/provider.ts'
import type { DocumentCounts } from './open-search-cluster.shell.ts'
import { ClusterIndex } from './cluster-index.shell.ts'

/** Loads people into a new index of the search cluster, which then replaces the present one. */
export async function reloadSearchCluster(app: App, databaseUrl: string, dataset: Dataset): Promise<DocumentCounts> {
  const cluster = app.config.finder.cluster
  if (!cluster) {
    const message = 'No search cluster is configured. The index inside the server process rebuilds automatically.'
    throw new AppError('SERVICE_UNAVAILABLE', message)
  }
  const index = new ClusterIndex({ ...cluster, databaseUrl, log: app.log, clock: app.clock })
  try {
    return await index.reload(dataset)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    throw new AppError('SERVICE_UNAVAILABLE', `The search cluster did not accept the people: ${error.message}.`)
  } finally {
    await index.stop()
  }
}
