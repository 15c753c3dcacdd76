import { type AppError, conflict, invalid, notFound } from '@overture/contract/errors.ts'
import { forwardEndpoints, forwardLimits } from '@overture/contract/inbox/forwards.ts'
import { KeyedSemaphore } from '@overture/ground/keyed-semaphore.ts'
import { cleanFilename } from '@overture/mail-reading/mime/filename.ts'
import { assertForwardable, listThreadMessages, queueForward, writeForward } from '../../delivery/index.ts'
import { callerActor } from '../../platform/http/audit-facts.ts'
import { phased, type RequestContext, type Route } from '../../platform/http/route.ts'
import type { AttachmentReader } from '../reading/mail-reader.ts'
import { bytesUnderWayMax, readAttachmentContent } from './attachment-content.shell.ts'
import { withoutLinkTokensIn } from './attachment.ts'
import { findFile } from './attachments.sql.ts'
import { findConversation, lockConversation } from './conversations.sql.ts'

/** The memory that a forward needs while it is written: its files, and the mail with the files in base64. */
const bytesPerFileByte = 3
const bytesPerForward = 1024 * 1024
const mediaType = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/

/** Forwards messages. Their files are extracted in separate threads before the transaction begins. */
export function forwardRoutes(reader: AttachmentReader): Route[] {
  const budget = new KeyedSemaphore({ permits: () => bytesUnderWayMax })
  const files = new KeyedSemaphore({ permits: () => bytesUnderWayMax })
  return [
    phased(forwardEndpoints.forwardMessage, async (context, { params, body }, answer) => {
      const { app, tenant, now } = context
      const { secrets } = app
      const conversation = await findConversation(app.db, tenant, params.id)
      if (conversation === null) throw notFound()
      const messages = await listThreadMessages(app.db, tenant, conversation.id)
      const original = messages.find(({ id }) => id === body.messageId)
      if (original === undefined) throw notFound()
      if (original.status !== 'received' && original.status !== 'sent')
        throw conflict('Only a message that was sent or received can be forwarded.', original.status)
      await assertForwardable(app.db, tenant, { to: body.to, secrets })
      const listed = original.attachments ?? []
      const bytes = listed.reduce((sum, { size }) => sum + (size ?? 0), 0)
      if (bytes > forwardLimits.filesBytes) throw tooLarge()
      const release = await files.acquire('', Math.min(bytes * bytesPerFileByte + bytesPerForward, bytesUnderWayMax))
      try {
        const forward = await writeForward(app, tenant, {
          ...body,
          threadId: conversation.id,
          messages,
          original,
          files: await readFiles(context, original.id, { listed, reader, budget }),
          leftOut: listed.filter(({ size }) => size === null).map(({ filename }) => filename),
          author: callerActor(context.caller),
          now,
        })
        return await answer(async (tx) => {
          // The person may have been erased meanwhile.
          if ((await lockConversation(tx, tenant, conversation.id)) === null) throw notFound()
          return queueForward(tx, tenant, { forward, secrets })
        })
      } finally {
        release()
      }
    }),
  ]
}

interface FilesToRead {
  listed: readonly { filename: string; contentType: string; size: number | null }[]
  reader: AttachmentReader
  budget: KeyedSemaphore
}

/** The files of a message without the tokens of our links, with names that are safe. */
async function readFiles(
  { app: { db }, tenant }: RequestContext,
  messageId: string,
  { listed, reader, budget }: FilesToRead,
) {
  const read = []
  for (const [at, { size }] of listed.entries()) {
    if (size === null) continue
    const key = { messageId, n: at + 1 }
    const file = await findFile(db, tenant, key)
    if (file === null) throw notFound()
    const content = withoutLinkTokensIn(
      await readAttachmentContent(db, tenant, { key, file, reader, budget }),
      file.contentType,
    )
    read.push({
      filename: cleanFilename(file.filename) || 'attachment',
      contentType: mediaType.test(file.contentType) ? file.contentType : 'application/octet-stream',
      content: Buffer.from(content),
    })
  }
  return read
}

function tooLarge(): AppError {
  return invalid({
    path: 'messageId',
    rule: 'size',
    message: 'The files of this message are larger than 16 MiB together, so it can’t be forwarded.',
  })
}
