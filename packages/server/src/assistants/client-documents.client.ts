import type { App } from '../platform/app.ts'
import { createGuardedFetch } from '../platform/mail/guarded-fetch.client.ts'
import { accountReach } from '../platform/mail/network-guard.client.ts'

const timeoutMs = 3_000
const answerBytesMax = 8 * 1024

/** Fetches a document that describes a client. It refuses private addresses, follows no redirect and sends nothing about users. */
export function createDocumentFetch(app: App): (url: string) => Promise<Response> {
  const guarded = createGuardedFetch({ getReach: () => accountReach(app, null), timeoutMs, answerBytesMax })
  return (url) =>
    guarded(url, { method: 'GET', headers: { accept: 'application/json', 'accept-encoding': 'identity' } })
}
