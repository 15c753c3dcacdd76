import type { Message } from '@overture/sdk'
import { useState } from 'react'
import { AreaField, Form } from '../../platform/form/index.ts'
import { timeText } from '../../platform/time/format.ts'
import { useTenantTime } from '../../platform/time/now.tsx'
import { Button, Dialog, ErrorNote, Note, Row, say } from '../../platform/ui/index.ts'
import { useWithdraw } from '../inbox.actions.ts'
import { useUpdateReply } from './later.actions.ts'
import { text } from './later.messages.ts'
import { LaterMenu } from './later.panel.tsx'

interface ScheduledReplyProps {
  conversationId: string
  message: Message
}

/** When a scheduled reply is sent, and what can be done with it. A held one asks for a decision. */
export function ScheduledReply({ conversationId, message }: ScheduledReplyProps) {
  const { zone } = useTenantTime()
  const { sendAt, heldAt, status } = message
  const update = useUpdateReply(conversationId, message.id)
  const withdraw = useWithdraw(conversationId, () => say(text.withdrawn))
  const [editing, setEditing] = useState(false)
  if (sendAt === null || status !== 'queued') return null
  const time = timeText(sendAt, zone)
  return (
    <Note {...(heldAt !== null && { tone: 'warn' as const })}>
      <p>{heldAt === null ? text.scheduled(time) : text.held(time)}</p>
      <Row>
        {heldAt !== null && (
          <Button small operation="updateReply" busy={update.isPending} onClick={() => update.mutate({ held: false })}>
            {text.sendAnyway}
          </Button>
        )}
        <LaterMenu
          operation="updateReply"
          label={text.changeTime}
          title={text.sendLaterTitle}
          submitLabel={text.changeTime}
          choose={(at) => update.mutate({ sendAt: at })}
        >
          {text.changeTime}
        </LaterMenu>
        <Button small operation="updateReply" onClick={() => setEditing(true)}>
          {text.edit}
        </Button>
        <Button small operation="withdrawReply" busy={withdraw.isPending} onClick={() => withdraw.mutate(message.id)}>
          {text.withdraw}
        </Button>
      </Row>
      <ErrorNote error={update.error ?? withdraw.error} />
      {editing && <EditReply conversationId={conversationId} message={message} close={() => setEditing(false)} />}
    </Note>
  )
}

function EditReply({ conversationId, message, close }: ScheduledReplyProps & { close: () => void }) {
  const [typed, setTyped] = useState(message.text ?? '')
  const update = useUpdateReply(conversationId, message.id)
  return (
    <Dialog title={text.editTitle} open close={close} foot={null}>
      <Form
        operation="updateReply"
        submit={() => update.mutate({ text: typed }, { onSuccess: close })}
        submitLabel={text.save}
        busy={update.isPending}
        error={update.error}
        reason={typed.trim() === '' ? text.editReason : null}
      >
        <AreaField label={text.replyText} hint={text.editHint} rows={12} value={typed} change={setTyped} />
      </Form>
    </Dialog>
  )
}
