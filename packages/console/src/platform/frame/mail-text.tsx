import { useState } from 'react'
import { text } from '../text/platform.messages.ts'
import { Button, Row } from '../ui/button.tsx'
import { MailFrame } from './mail-frame.tsx'
import { PlainText } from './plain-text.tsx'
import styles from './frame.module.css'

export interface MailTextProps {
  title: string
  plain: string | null
  signature?: string | null
  quoted?: string | null
  html: string | null
}

/** A message as text with folded quotes. On request it is shown as designed, and with remote images. */
export function MailText({ title, plain, signature = null, quoted = null, html }: MailTextProps) {
  const [view, setView] = useState<'plain' | 'html' | 'images'>(plain === null ? 'html' : 'plain')
  const [unfolded, setUnfolded] = useState(false)
  return (
    <div>
      {view === 'plain' || html === null ? (
        <p className={styles['plain']}>
          <PlainText>{plain}</PlainText>
        </p>
      ) : (
        <MailFrame title={title} html={html} images={view === 'images'} />
      )}
      {view === 'plain' && signature !== null && (
        <p className={`${styles['plain']} ${styles['signature']}`}>{signature}</p>
      )}
      {view === 'plain' && unfolded && <p className={`${styles['plain']} ${styles['quoted']}`}>{quoted}</p>}
      {(html !== null || quoted !== null) && (
        <Row>
          {quoted !== null && quoted !== '' && view === 'plain' && (
            <Button look="quiet" small aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
              {text.showQuoted}
            </Button>
          )}
          {html !== null && plain !== null && (
            <Button look="quiet" small onClick={() => setView(view === 'plain' ? 'html' : 'plain')}>
              {view === 'plain' ? text.html : text.plain}
            </Button>
          )}
          {view === 'html' && /<img/i.test(html ?? '') && (
            <Button look="quiet" small onClick={() => setView('images')}>
              {text.showImages}
            </Button>
          )}
        </Row>
      )}
    </div>
  )
}
