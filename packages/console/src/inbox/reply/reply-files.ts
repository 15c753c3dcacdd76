import { replyLimits } from '@overture/contract/delivery/reply-limits.ts'

interface SizedFile {
  name: string
  size: number
}

export type AddedFiles<File> = { files: readonly File[] } | { refused: 'too_many' | 'too_large' }

/** The files of a reply with the new ones. They are refused together if the reply would become too large. */
export function withFiles<File extends SizedFile>(files: readonly File[], added: readonly File[]): AddedFiles<File> {
  const all = [...files, ...added]
  if (all.length > replyLimits.files) return { refused: 'too_many' }
  return all.reduce((sum, { size }) => sum + size, 0) > replyLimits.filesBytes
    ? { refused: 'too_large' }
    : { files: all }
}

export interface ReplyAttachment {
  filename: string
  contentType?: string
  /** Base64. */
  content: string
}

export async function readAttachment(file: File): Promise<ReplyAttachment> {
  const content = await base64Of(file)
  return { filename: file.name, ...(/^[\w.+-]+\/[\w.+-]+$/.test(file.type) && { contentType: file.type }), content }
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve((reader.result as string).split(',')[1] ?? ''))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file can not be read.')))
    reader.readAsDataURL(file)
  })
}
