import { minuteMs } from '@overture/ground/time/spans.ts'
import type { App } from '../platform/app.ts'
import { monotonicMs } from '../platform/clock.ts'
import { type AddressRate, createAddressRates } from '../platform/http/address-rates.ts'
import { readClientMetadata } from './client-metadata.ts'
import { existsGrantOfClientAcrossAccounts } from './grants.sql.ts'
import { authorizePath } from './oauth-paths.ts'
import { recordDigest } from './record-key.ts'
import { findRecordAcrossAccounts, type RecordKey, upsertRecord } from './records.sql.ts'

/** A document is fetched again after this time, so that a client that changed its addresses is known by the new ones. */
const keptMs = 10 * minuteMs
/** So that a stranger can't have the same address fetched again and again. */
const failureKeptMs = minuteMs
const urlCharactersMax = 500

/** Documents that are not kept, by one address. */
const addressRate: AddressRate = { name: 'client_document', perMinute: 6, burst: 6 }
/** All documents of one process, by all addresses together. */
const overallRate: AddressRate = { name: 'client_documents', perMinute: 30, burst: 30 }
/** Documents of clients that some user allowed. They have their own rate, so that strangers can't use it up. */
const grantedRate: AddressRate = { name: 'granted_client_documents', perMinute: 60, burst: 60 }

/** The request for which a client is looked up. Absent on the consent page, where a user is signed in. */
interface Asker {
  path: string
  ip: string
}

interface KeptDocument {
  /** The description of the client, or null if it could not be fetched. */
  document: string | null
}

export interface ClientDocuments {
  /** Whether the document of this client may be read: from the database, or from its host within the limits. */
  mayRead(asker: Asker | undefined, clientId: string): Promise<boolean>
  /** A `fetch` that the library calls after `mayRead`. */
  read(url: string): Promise<Response>
}

/** The documents that describe clients. They are kept in the database, so that each is fetched once for all processes. */
export function createClientDocuments(app: App, fetchDocument: (url: string) => Promise<Response>): ClientDocuments {
  const rates = createAddressRates()
  const passes = (rate: AddressRate, address = ''): boolean => rates.take(rate, address, monotonicMs()) === 0
  return {
    async mayRead(asker, clientId) {
      if (clientId.length > urlCharactersMax) return false
      const kept = await findKept(app, clientId)
      if (kept !== null) return kept.document !== null
      if (asker === undefined) return passes(overallRate)
      if (isAuthorize(asker.path)) return passes(addressRate, asker.ip) && passes(overallRate)
      // A token or a revocation needs a grant, so no other client needs to be known.
      return (await existsGrantOfClientAcrossAccounts(app.db, clientId)) && passes(grantedRate)
    },
    async read(url) {
      const kept = await findKept(app, url)
      const document = kept === null ? await fetchAndKeep(app, url, fetchDocument) : kept.document
      return document === null ? new Response(null, { status: 502 }) : new Response(document)
    },
  }
}

function isAuthorize(path: string): boolean {
  return path === authorizePath || path.startsWith(`${authorizePath}/`)
}

async function findKept({ db, clock }: App, clientId: string): Promise<KeptDocument | null> {
  const row = await findRecordAcrossAccounts(db, documentKey(clientId), clock.now())
  return row === null ? null : (row.payload as unknown as KeptDocument)
}

async function fetchAndKeep(
  { db, clock, log }: App,
  url: string,
  fetchDocument: (url: string) => Promise<Response>,
): Promise<string | null> {
  const document = await fetchMetadata(url, fetchDocument)
  if (document === null) log.info({ event: 'assistants.document_refused', host: new URL(url).host })
  const expiresAt = new Date(clock.now().getTime() + (document === null ? failureKeptMs : keptMs))
  const payload: KeptDocument = { document }
  await upsertRecord(db, documentKey(url), { grantId: null, payload, expiresAt })
  return document
}

async function fetchMetadata(url: string, fetchDocument: (url: string) => Promise<Response>): Promise<string | null> {
  try {
    const answer = await fetchDocument(url)
    if (answer.status !== 200) return null
    const metadata = readClientMetadata(await answer.text())
    return metadata === null ? null : JSON.stringify(metadata)
  } catch {
    // The reasons of a strange server are no concern of the client that named it: it may be probing this network.
    return null
  }
}

function documentKey(clientId: string): RecordKey {
  return { kind: 'ClientDocument', digest: recordDigest(clientId) }
}
