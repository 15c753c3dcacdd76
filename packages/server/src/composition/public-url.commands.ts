import type { App } from '../platform/app.ts'
import { ConfigError } from '../platform/config.ts'
import { linksReachRecipients } from '../platform/public-url.ts'
import { findUrl, upsertUrl } from './open-app.sql.ts'

/**
 * All nodes use one URL. The operator's setting is stored in the database, and a node without the setting reads it there. The
 * port of a worker serves no pages, so a worker uses the URL of a node that serves them, or refuses to start.
 */
export async function agreeOnPublicUrl({ config, db, log }: App, listened: string | null): Promise<void> {
  const stored = await findUrl(db, 'public_url')
  if (!config.publicUrlIsDefault) {
    await upsertUrl(db, 'public_url', config.publicUrl)
    if (stored !== null && stored !== config.publicUrl)
      log.warn({ event: 'public_url.changed', before: stored, now: config.publicUrl })
  } else if (config.role === 'worker') {
    const url = stored ?? (await findUrl(db, 'listened_url'))
    if (url === null)
      throw new ConfigError(['OVERTURE_PUBLIC_URL: required for a worker that starts before any other node.'])
    config.publicUrl = url
  } else {
    if (listened !== null) await upsertUrl(db, 'listened_url', listened)
    config.publicUrl = stored ?? listened ?? config.publicUrl
  }
  if (linksReachRecipients(config)) return
  log.warn({ event: 'public_url.unreachable', url: config.publicUrl, set: 'OVERTURE_PUBLIC_URL' })
}

/** The URL of a server of this database, for a command that runs beside it. */
export async function findPublicUrl({ config, db }: Pick<App, 'config' | 'db'>): Promise<string> {
  if (!config.publicUrlIsDefault) return config.publicUrl
  return (await findUrl(db, 'public_url')) ?? (await findUrl(db, 'listened_url')) ?? config.publicUrl
}
