import type { App } from '../platform/app.ts'
import { createGuardedFetch } from '../platform/mail/guarded-fetch.client.ts'
import { accountReach } from '../platform/mail/network-guard.client.ts'

const timeoutMs = 3_000
const answerBytesMax = 8 * 1024

/** A `fetch` for the documents that describe clients. It refuses private addresses, follows no redirect and sends nothing about users. */
export function createDocumentFetch(app: App): typeof fetch {
  const guarded = createGuardedFetch({ reachOf: () => accountReach(app, null), timeoutMs, answerBytesMax })
  return (url) => {
    const address = url instanceof Request ? url.url : String(url)
    return guarded(address, {
      method: 'GET',
      headers: { accept: 'application/json', 'accept-encoding': 'identity' },
    })
  }
}
