import type { ForwardedMessage, ForwardInput, Message } from '@overture/sdk'
import { useState } from 'react'
import { messageStatusText, recipientText } from '../../leads/index.ts'
import { useAction } from '../../platform/api/action.ts'
import { AreaField, Form, TextField } from '../../platform/form/index.ts'
import { PlainText } from '../../platform/frame/index.ts'
import { Time } from '../../platform/time/now.tsx'
import { Badge, Button, Dialog, say, Soft } from '../../platform/ui/index.ts'
import { readCopies } from '../reply/copies.ts'
import { text } from './forward.messages.ts'
import styles from '../inbox.module.css'

interface ForwardProps {
  conversationId: string
  message: Message
}

const recipientsMax = 10

/** Forwards a message that was sent or received. */
export function Forward({ conversationId, message }: ForwardProps) {
  const [open, setOpen] = useState(false)
  if (message.status !== 'received' && message.status !== 'sent') return null
  return (
    <>
      <Button small look="quiet" operation="forwardMessage" onClick={() => setOpen(true)}>
        {text.forward}
      </Button>
      {open && <ForwardDialog conversationId={conversationId} message={message} close={() => setOpen(false)} />}
    </>
  )
}

function ForwardDialog({ conversationId, message, close }: ForwardProps & { close: () => void }) {
  const [to, setTo] = useState('')
  const [typed, setTyped] = useState('')
  const forward = useAction<ForwardInput, ForwardedMessage>({
    act: (api, input) => api.conversations.forward(conversationId, input),
    stale: () => [['conversations', 'one', conversationId]],
    done: (sent) => {
      say(text.done(sent.to.join(', ')))
      close()
    },
  })
  const read = readCopies(to)
  const emails = 'cc' in read ? read.cc : []
  const wrong = 'wrong' in read ? text.wrong(read.wrong) : 'tooMany' in read ? text.tooMany(recipientsMax) : undefined
  return (
    <Dialog title={text.title} open close={close} foot={null}>
      <Form
        operation="forwardMessage"
        submit={() =>
          forward.mutate({ messageId: message.id, to: [...emails], ...(typed.trim() !== '' && { text: typed }) })
        }
        submitLabel={text.forward}
        busy={forward.isPending}
        error={forward.error}
        reason={wrong ?? (emails.length === 0 ? text.toReason : null)}
      >
        <TextField
          label={text.to}
          hint={text.toHint(recipientsMax)}
          inputMode="email"
          value={to}
          change={setTo}
          error={wrong}
        />
        <AreaField label={text.text} optional hint={text.included} value={typed} change={setTyped} />
      </Form>
    </Dialog>
  )
}

/** A forward between the messages of a conversation. */
export function ForwardShown({ forward }: { forward: ForwardedMessage }) {
  const { author, to, status, createdAt, refusedRecipients } = forward
  return (
    <article className={styles['note']}>
      <header className={styles['noteHead']}>
        <strong>{text.shown(author.name ?? text.someone, to.join(', '))}</strong>
        <Badge tone={status === 'failed' || status === 'bounced' ? 'bad' : 'soft'}>{messageStatusText[status]}</Badge>
        <Soft>
          <Time at={createdAt} />
        </Soft>
      </header>
      {refusedRecipients.map(({ email, reason }) => (
        <p key={email}>{recipientText.refused(email, reason)}</p>
      ))}
      {forward.text !== null && (
        <p className={styles['noteText']}>
          <PlainText>{forward.text}</PlainText>
        </p>
      )}
    </article>
  )
}
