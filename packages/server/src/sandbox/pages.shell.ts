import { readOptOut, readTrackingToken, type TrackingPurpose, type TrackingToken } from '../delivery/index.ts'
import { bookFirstFreeSlot, type MeetingTools } from '../meetings/index.ts'
import type { App } from '../platform/app.ts'
import { countHits, recordUnsubscribe } from '../tracking/index.ts'
import { readToken } from './mail-links.ts'
import type { PublicPages, Visit } from './virtual-world.ts'

/** The public pages without HTTP: the same functions verify signed links and apply them. */
export function createProspectPages(app: App, meetings: MeetingTools): PublicPages {
  const read = (purpose: TrackingPurpose, token: string | null): TrackingToken | null =>
    token === null ? null : readTrackingToken((kind, text) => app.secrets.verifyToken(kind, text), purpose, token)
  return {
    visit(tx, tenant, visits) {
      const hits = visits.flatMap(({ url, userAgent, now }) => {
        const request = { method: 'GET', userAgent, purpose: '' }
        const opened = read('open', readToken(url, '/o/'))
        const clicked = read('click', readToken(url, '/c/'))
        const token = opened ?? clicked
        const isOurs = token?.accountId === tenant.accountId && token.environment === tenant.environment
        return isOurs ? [{ what: opened ? ('open' as const) : ('click' as const), token, request, at: now }] : []
      })
      return countHits(tx, tenant, { hits, secrets: app.secrets })
    },
    targetOf: (url) => read('click', readToken(url, '/c/'))?.target ?? null,
    async unsubscribe(_tenant, visit: Visit) {
      const token = readOptOut(app.secrets, readToken(visit.url, '/u/') ?? '')
      if (token) await recordUnsubscribe(app, token, { via: 'one_click', now: visit.now })
    },
    async book(tenant, { leadId, now }) {
      await app.db.transaction((tx) => bookFirstFreeSlot(meetings, tx, tenant, { leadId, now }))
    },
  }
}
