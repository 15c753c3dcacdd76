import { z } from 'zod'

/** The first and last entries of a backup. Between them are the rows of each table, in pieces, in the format of COPY. */

export const backupFormat = 1
export const headerEntry = 'overture-backup.json'
export const keyEntry = 'encryption.key'
export const manifestEntry = 'manifest.json'
/** The purpose of the token that signs a backup: a change made without the encryption key is detected. */
export const sealPurpose = 'backup'
export const documentBytesMax = 16 * 1024 * 1024

/** A file that can't be used, or a database that can't be restored into, in one sentence. */
export class BackupError extends Error {}

const name = z.string().regex(/^[a-z_][a-z0-9_]*$/)
const digest = z.string().regex(/^[0-9a-f]{64}$/)
/** Positions of the log, which exceed the number range of JSON. */
const bigNumber = z.string().regex(/^-?\d+$/)

const header = z.object({
  format: z.literal(backupFormat),
  madeAt: z.iso.datetime(),
  /** The version of the product that made it, and that of its PostgreSQL. */
  version: z.string(),
  postgres: z.string(),
  keyId: z.string().regex(/^[0-9a-f]+$/),
  migrations: z.array(z.object({ name: z.string(), checksum: digest })).min(1),
  tables: z
    .array(z.object({ name, columns: z.array(name).min(1), months: z.array(z.string().regex(/^\d{4}_\d{2}$/)) }))
    .min(1),
  sequences: z.array(z.object({ name, value: bigNumber, isCalled: z.boolean() })),
})
export type BackupHeader = z.output<typeof header>
export type BackupTable = BackupHeader['tables'][number]

const manifest = z.object({
  headerSha256: digest,
  /** Null if the file does not contain the encryption key. */
  keySha256: digest.nullable(),
  tables: z.array(z.object({ name, rows: z.number().int().min(0), bytes: z.number().int().min(1), sha256: digest })),
})
export type BackupManifest = z.output<typeof manifest>
export type TableDigest = BackupManifest['tables'][number]

const sealed = z.object({ manifest: z.string(), seal: z.string() })

/** The signature is for the digest of the manifest's text. */
export function sealedManifest(text: string, seal: string): string {
  return JSON.stringify({ manifest: text, seal })
}

const foreign = 'is not a backup of Overture'

export function parseHeader(text: string): BackupHeader {
  const found = json(text)
  const format = (found as { format?: unknown } | null)?.format
  if (typeof format === 'number' && format > backupFormat)
    throw new BackupError(`was made by a newer release (format ${format}). Restore it with that release`)
  const read = header.safeParse(found)
  if (!read.success) throw new BackupError(foreign)
  return read.data
}

/** Returns the manifest, the text that its seal signs, and the seal. */
export function parseManifest(text: string): { manifest: BackupManifest; text: string; seal: string } {
  const outer = sealed.safeParse(json(text))
  const inner = outer.success ? manifest.safeParse(json(outer.data.manifest)) : null
  if (!outer.success || inner?.success !== true) throw new BackupError("is damaged: its manifest can't be read")
  return { manifest: inner.data, text: outer.data.manifest, seal: outer.data.seal }
}

export function pieceName(table: string, number: number): string {
  return `tables/${table}/${String(number).padStart(8, '0')}.copy`
}

/** The table and the number of a piece; null if the entry is not one. */
export function parseEntry(entry: string): { table: string; number: number } | null {
  const found = /^tables\/([a-z_][a-z0-9_]*)\/(\d{8})\.copy$/.exec(entry)
  return found === null ? null : { table: found[1]!, number: Number(found[2]) }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
