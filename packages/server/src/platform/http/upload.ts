import type { Hash } from 'node:crypto'
import { AppError } from '@overture/contract/errors.ts'

/**
 * A body that is read as it arrives. A reader that stops early leaves it open, because its connection carries the response. A
 * second reader continues where the first one stopped.
 */
export type Upload = AsyncIterable<Uint8Array>

interface UploadSource {
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<unknown>
}

/** Refuses the body with 413 once it is longer than `bytesMax`, and with 400 if the client disconnects before the end. */
export function boundedUpload(source: UploadSource, bytesMax: number): Upload {
  let bytes = 0
  return {
    async *[Symbol.asyncIterator]() {
      try {
        for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
          bytes += chunk.length
          if (bytes > bytesMax) throw tooLarge(bytesMax)
          yield chunk
        }
      } catch (error) {
        throw isConnectionLost(error) ? brokenOff() : error
      }
    },
  }
}

/** The same body with its bytes hashed; `finish` reads the rest that was not read. */
export function hashedUpload(upload: Upload, hash: Hash): { upload: Upload; finish(): Promise<Buffer> } {
  let isRead = false
  const hashed: Upload = {
    async *[Symbol.asyncIterator]() {
      for await (const chunk of upload) {
        hash.update(chunk)
        yield chunk
      }
      isRead = true
    },
  }
  return {
    upload: hashed,
    async finish() {
      if (!isRead) for await (const _chunk of hashed);
      return hash.digest()
    },
  }
}

export const emptyUpload: Upload = { async *[Symbol.asyncIterator]() {} }

export function tooLarge(bytesMax: number): AppError {
  const mebibytes = bytesMax / (1024 * 1024)
  return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${mebibytes} MiB.`)
}

function brokenOff(): AppError {
  const message = 'The upload was interrupted. Send the body again.'
  return new AppError('VALIDATION_ERROR', message, { issues: [{ path: '', rule: 'request', message }] })
}

function isConnectionLost(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ERR_STREAM_DESTROYED'
}
