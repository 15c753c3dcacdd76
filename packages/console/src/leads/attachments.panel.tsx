import type { Attachment, Message } from '@overture/sdk'
import { Download } from 'lucide-react'
import { useAction } from '../platform/api/action.ts'
import { saveFile } from '../platform/api/save-file.ts'
import { bytesText } from '../platform/time/format.ts'
import { Button, ErrorNote, Soft } from '../platform/ui/index.ts'
import { attachmentText as text } from './message.messages.ts'
import styles from './leads.module.css'

const iconSize = 14

/** The files of a message. Their names come from strangers, and their contents were not scanned. */
export function Attachments({ message }: { message: Message }) {
  if (message.attachments.length === 0) return null
  return (
    <ul className={styles['files']} aria-label={text.attachments}>
      {message.attachments.map((file) => (
        <File key={file.n} messageId={message.id} file={file} />
      ))}
    </ul>
  )
}

function File({ messageId, file }: { messageId: string; file: Attachment }) {
  const { n, filename, contentType, size } = file
  const download = useAction<void, Uint8Array>({
    act: (api) => api.messages.attachment(messageId, String(n)),
    done: (content) => saveFile(filename, new Uint8Array(content), 'application/octet-stream'),
  })
  return (
    <li>
      <Button
        small
        busy={download.isPending}
        disabledReason={size === null ? text.tooLarge : null}
        onClick={() => download.mutate()}
      >
        <Download size={iconSize} aria-hidden />
        <span className="visually-hidden">{text.download}</span>
        {/* Text in another direction must not change the text around the name. */}
        <bdi className={styles['fileName']}>{filename}</bdi>
      </Button>
      <Soft>
        {contentType}
        {size !== null && ` · ${bytesText(size)}`}
      </Soft>
      <ErrorNote error={download.error} />
    </li>
  )
}
