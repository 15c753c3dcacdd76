import { dayMs } from '@overture/ground/time/spans.ts'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { InvalidGrant } from './oidc-library.ts'
import type { App } from '../platform/app.ts'
import { endGrantBySystem } from './grants.commands.ts'
import { authorizePath } from './oauth-paths.ts'
import { recordDigest, unusedClientMs } from './record-key.ts'
import {
  deleteRecord,
  findRecordAcrossAccounts,
  type RecordKey,
  updateClientKept,
  updateRecordConsumed,
  upsertRecord,
} from './records.sql.ts'

/**
 * Sessions of the authorization server are not stored: people are signed in by the session of the console, and each request of a
 * client needs their consent.
 */
const unstoredKinds: ReadonlySet<string> = new Set(['Session'])

/** Stores records of one kind in PostgreSQL, so that each process can continue what another one began. */
export class RecordAdapter implements Adapter {
  readonly #app: App
  readonly #kind: string

  constructor(app: App, kind: string) {
    this.#app = app
    this.#kind = kind
  }

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds?: number): Promise<undefined> {
    if (unstoredKinds.has(this.#kind)) return undefined
    const lifeMs = expiresInSeconds === undefined ? unusedClientMs : expiresInSeconds * 1000
    const expiresAt = new Date(this.#app.clock.now().getTime() + lifeMs)
    const { jti: _id, returnTo: _path, ...stored } = payload
    const grantId = this.#kind === 'Grant' ? id : (payload.grantId ?? null)
    await upsertRecord(this.#app.db, this.#key(id), { grantId, payload: stored, expiresAt })
    if (this.#kind === 'RefreshToken' && payload.clientId !== undefined)
      await updateClientKept(this.#app.db, recordDigest(payload.clientId), new Date(expiresAt.getTime() + dayMs))
    return undefined
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (unstoredKinds.has(this.#kind)) return undefined
    const { db, clock, config } = this.#app
    const row = await findRecordAcrossAccounts(db, this.#key(id), clock.now())
    if (row === null) return undefined
    return {
      ...row.payload,
      ...(this.#kind !== 'Client' && { jti: id }),
      ...(this.#kind === 'Interaction' && { returnTo: `${config.publicUrl}${authorizePath}/${id}` }),
      ...(row.consumedAt !== null && { consumed: Math.floor(row.consumedAt.getTime() / 1000) }),
    }
  }

  // No kind in use is found by another id.
  findByUid(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  /** Throws if a concurrent request used the record first. The grant ends then, because one of the two was not the client. */
  async consume(id: string): Promise<undefined> {
    const { db, clock } = this.#app
    if ((await updateRecordConsumed(db, this.#key(id), clock.now())) === 1) return undefined
    const row = await findRecordAcrossAccounts(db, this.#key(id), clock.now())
    const grantId = row?.payload['grantId']
    if (typeof grantId === 'string') await this.revokeByGrantId(grantId)
    throw new InvalidGrant('already used')
  }

  async destroy(id: string): Promise<undefined> {
    if (this.#kind === 'Grant') return this.revokeByGrantId(id)
    await deleteRecord(this.#app.db, this.#key(id))
    return undefined
  }

  async revokeByGrantId(grantId: string): Promise<undefined> {
    const { db, clock } = this.#app
    await endGrantBySystem(db, grantId, clock.now())
    return undefined
  }

  #key(id: string): RecordKey {
    return { kind: this.#kind, digest: recordDigest(id) }
  }
}
