import { Paperclip, X } from 'lucide-react'
import { useRef } from 'react'
import type { Quote } from '../../editor/index.ts'
import { bytesText } from '../../platform/time/format.ts'
import { Button, Soft } from '../../platform/ui/index.ts'
import { text } from '../inbox.messages.ts'
import styles from '../inbox.module.css'

const iconSize = 14

/** The files of a reply that is not sent yet. */
export function ReplyFiles({ files, remove }: { files: readonly File[]; remove: (file: File) => void }) {
  if (files.length === 0) return null
  return (
    <ul className={styles['replyFiles']} aria-label={text.files}>
      {files.map((file, at) => (
        <li key={`${at} ${file.name}`}>
          <bdi>{file.name}</bdi>
          <Soft>{bytesText(file.size)}</Soft>
          <Button small look="quiet" icon aria-label={text.removeFile(file.name)} onClick={() => remove(file)}>
            <X size={iconSize} aria-hidden />
          </Button>
        </li>
      ))}
    </ul>
  )
}

export function AttachButton({ add }: { add: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button small onClick={() => input.current?.click()}>
        <Paperclip size={iconSize} aria-hidden />
        {text.attach}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={text.chooseFiles}
        onChange={({ target }) => {
          add([...(target.files ?? [])])
          // The same file can be chosen again after it was removed.
          target.value = ''
        }}
      />
    </>
  )
}

/** The end of a reply: the signature, and the quoted message, which is folded. */
export function ReplyEndShown({ signature, quote }: { signature: string; quote: Quote | null }) {
  return (
    <>
      {signature !== '' && <p className={styles['replySignature']}>{signature}</p>}
      {quote !== null && (
        <details className={styles['replyQuote']}>
          <summary>{text.quoted}</summary>
          <p>{quote.attribution}</p>
          <blockquote>{quote.text}</blockquote>
        </details>
      )}
    </>
  )
}

/** The text of a signature, which may be HTML. */
export function signatureText(signature: string): string {
  return signature
    .replaceAll(/<br\s*\/?>\n?|<\/(?:p|div|li)>\n?/gi, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (_all, name: string) => entities[name] ?? '')
    .trim()
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }
