import { crc32 } from 'node:zlib'
import type { ApiKey } from '@overture/contract/accounts/api-keys.ts'
import type { Environment, Scope } from '@overture/contract/endpoint.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyRandomLength = 24
const checksumLength = 6
const prefixLength = 14
const shape = /^ovt_(?:live|test)_[0-9A-Za-z]{30}$/
const bearer = /^Bearer +(\S+) *$/i

/** A key as it is stored. */
export interface ApiKeyRow {
  id: string
  name: string
  prefix: string
  scopes: Scope[]
  environment: Environment
  userId: string | null
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
}

/** `ovt_live_<24 base62><6 checksum>`. Source: docs/contract.md, "Accounts and keys". */
export function formatKey(environment: Environment, random: string): string {
  const body = `ovt_${environment}_${random}`
  return body + checksum(body)
}

/**
 * 24 characters of base 62, or null if there are too few bytes. Bytes above 247 are dropped, so that all characters are equally
 * likely.
 */
export function randomPart(bytes: Uint8Array): string | null {
  let text = ''
  for (const byte of bytes) {
    if (byte >= 248) continue
    text += base62[byte % 62]
    if (text.length === keyRandomLength) return text
  }
  return null
}

/** The key of an Authorization header. Null if the header contains nothing in the form of our keys, which then costs no query. */
export function readBearerKey(authorization: string | undefined): string | null {
  const key = authorization === undefined ? undefined : bearer.exec(authorization)?.[1]
  if (key === undefined || !shape.test(key)) return null
  const body = key.slice(0, -checksumLength)
  return checksum(body) === key.slice(-checksumLength) ? key : null
}

export function keyPrefix(key: string): string {
  return key.slice(0, prefixLength)
}

export function isActive(row: Pick<ApiKeyRow, 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return row.revokedAt === null && (row.expiresAt === null || row.expiresAt > now)
}

export function toApiKey(row: ApiKeyRow, now: Date): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    environment: row.environment,
    userId: row.userId,
    status: row.revokedAt !== null ? 'revoked' : isActive(row, now) ? 'active' : 'expired',
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  }
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let index = 0; index < checksumLength; index++) {
    digits = base62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** The channel that is notified when a key or its user has changed. */
export const accessChannel = 'overture_access'
