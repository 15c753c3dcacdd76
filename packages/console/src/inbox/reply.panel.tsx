import type { ConversationWithMessages, Template } from '@overture/sdk'
import { useEffect, useRef, useState } from 'react'
import { EditorField } from '../editor/index.ts'
import { Button, Confirm, ErrorNote, say, Soft } from '../platform/ui/index.ts'
import { useSenders } from '../sending-accounts/index.ts'
import { keptReply, keepReply } from './kept-replies.ts'
import { replyRecipient, type ReplyRecipient } from './reply-recipient.ts'
import { useFilledSnippet, useReply, useWithdraw } from './inbox.actions.ts'
import { text } from './inbox.messages.ts'
import { useSnippets } from './inbox.queries.ts'
import styles from './inbox.module.css'

/** A reply from the sender that owns the thread. The draft is kept with its conversation until it is sent. */
export function ReplyPanel({ conversation }: { conversation: ConversationWithMessages }) {
  const { id, leadId, sendingAccountId } = conversation
  const [typed, setTyped] = useState(() => keptReply(id))
  const sender = useSenders().data?.results.find((one) => one.id === sendingAccountId)?.email ?? ''
  useEffect(() => keepReply(id, typed), [id, typed])
  const withdrawn = useRef('')
  const withdraw = useWithdraw(id, () => {
    setTyped(withdrawn.current)
    say(text.canceled)
  })
  const reply = useReply(id, (message) => {
    withdrawn.current = typed
    setTyped('')
    say(text.sent, () => withdraw.mutate(message.id))
  })
  const snippets = useSnippetChoice(leadId, typed, setTyped)
  const recipient = replyRecipient(conversation.messages)
  // The message is named, so that a mail that arrives meanwhile does not change the recipient.
  const answered = recipient === null ? {} : { replyToMessageId: recipient.messageId }
  const asked = useAskedOnce(recipient, () => reply.mutate({ typed, ...answered }))
  const send = asked.send
  const pressed = (event: KeyboardEvent): boolean => {
    if (snippets.pressed(event)) return true
    const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (isSend && typed.trim() !== '') send()
    if (event.key === 'Escape') (event.target as HTMLElement).blur()
    return isSend || event.key === 'Escape'
  }
  return (
    <div className={styles['reply']}>
      {snippets.list}
      {recipient !== null && <Recipient recipient={recipient} />}
      {asked.question}
      <EditorField
        label={text.reply}
        hideLabel
        placeholder={text.replyFrom(sender)}
        compact
        value={typed}
        change={setTyped}
        keys={pressed}
      />
      <ErrorNote error={reply.error ?? withdraw.error ?? snippets.error} />
      <div className={styles['replyFoot']}>
        <Button
          look="primary"
          busy={reply.isPending}
          disabledReason={typed.trim() === '' ? text.sendReason : null}
          quietReason
          onClick={send}
        >
          {text.send}
        </Button>
        <span>{text.replyFrom(sender)}</span>
        <Soft>{text.replyHint}</Soft>
      </div>
    </div>
  )
}

function Recipient({ recipient: { email, insteadOf } }: { recipient: ReplyRecipient }) {
  return <div>{insteadOf === null ? text.replyTo(email) : text.replyElsewhere(email, insteadOf)}</div>
}

/** Asks before the first reply to an address that only the mail itself named (`Reply-To`). */
function useAskedOnce(recipient: ReplyRecipient | null, sendNow: () => void) {
  const [asking, setAsking] = useState(false)
  const agreedTo = useRef<string | null>(null)
  const elsewhere = recipient !== null && recipient.insteadOf !== null ? recipient : null
  const agree = (): void => {
    agreedTo.current = elsewhere?.email ?? null
    setAsking(false)
    sendNow()
  }
  return {
    send: (): void => (elsewhere === null || agreedTo.current === elsewhere.email ? sendNow() : setAsking(true)),
    question: elsewhere !== null && (
      <Confirm
        title={text.elsewhereTitle}
        open={asking}
        close={() => setAsking(false)}
        confirmLabel={text.elsewhereSend(elsewhere.email)}
        confirm={agree}
      >
        <p>{text.elsewhereText(elsewhere.email, elsewhere.insteadOf ?? '')}</p>
      </Confirm>
    ),
  }
}

/** A slash at the beginning opens the snippets, and the text after it filters them. */
function useSnippetChoice(leadId: string | null, typed: string, setTyped: (value: string) => void) {
  const asking = /^\/\S*$/.test(typed)
  const [chosen, setChosen] = useState(0)
  const found = useSnippets(asking)
  const fill = useFilledSnippet(leadId, setTyped)
  const wanted = typed.slice(1).toLowerCase()
  const options = (found.data?.results ?? []).filter(({ name }) => name.toLowerCase().includes(wanted))
  const current = Math.min(chosen, Math.max(0, options.length - 1))
  const pressed = (event: KeyboardEvent): boolean => {
    if (!asking || options.length === 0) return false
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move !== undefined) setChosen((current + move + options.length) % options.length)
    else if (event.key === 'Enter') fill.mutate(options[current]!)
    else return false
    return true
  }
  return {
    pressed,
    error: fill.error,
    list: asking ? <SnippetList options={options} current={current} choose={(one) => fill.mutate(one)} /> : null,
  }
}

function SnippetList({
  options,
  current,
  choose,
}: {
  options: readonly Template[]
  current: number
  choose: (one: Template) => void
}) {
  if (options.length === 0) return <Soft>{text.noSnippets}</Soft>
  return (
    <div role="listbox" aria-label={text.snippets} className={styles['snippets']}>
      {options.map((one, index) => (
        <div key={one.id} role="option" aria-selected={index === current} tabIndex={-1} onClick={() => choose(one)}>
          {one.name}
        </div>
      ))}
    </div>
  )
}
