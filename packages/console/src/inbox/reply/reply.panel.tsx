import { replyLimits } from '@overture/contract/delivery/reply-limits.ts'
import type { ConversationWithMessages } from '@overture/sdk'
import { useEffect, useMemo, useRef, useState, type DragEvent } from 'react'
import { EditorField, type ReplyEnd } from '../../editor/index.ts'
import { useStale } from '../../platform/api/query.ts'
import { TextField } from '../../platform/form/index.ts'
import { bytesText, timeText } from '../../platform/time/format.ts'
import { useTenantTime } from '../../platform/time/now.tsx'
import { usePermissionReason } from '../../platform/session/permission.ts'
import { Button, Confirm, ErrorNote, say, Soft } from '../../platform/ui/index.ts'
import { useSenders } from '../../sending-accounts/index.ts'
import { text as laterText } from '../later/later.messages.ts'
import { LaterMenu } from '../later/later.panel.tsx'
import { readCopies } from './copies.ts'
import { DraftPanel, type UsedDraft } from '../drafts/draft.panel.tsx'
import { keptReply, keepReply } from './kept-replies.ts'
import { buildQuote } from './quote.ts'
import { AttachButton, ReplyEndShown, ReplyFiles, signatureText } from './reply-extras.tsx'
import { withFiles } from './reply-files.ts'
import { replyRecipient, type ReplyRecipient } from './reply-recipient.ts'
import { useSnippetChoice } from './snippets.panel.tsx'
import { useReply, useWithdraw } from '../inbox.actions.ts'
import { text } from '../inbox.messages.ts'
import styles from '../inbox.module.css'

interface Draft {
  typed: string
  /** The text in Cc; null while the field is not shown. */
  copies: string | null
  files: readonly File[]
  /** The drafted reply that the text was made from. */
  used: UsedDraft | null
}

const emptyDraft: Draft = { typed: '', copies: null, files: [], used: null }

/** A reply from the sender that owns the thread. The draft is kept with its conversation until it is sent. */
export function ReplyPanel({ conversation }: { conversation: ConversationWithMessages }) {
  const { id, leadId, sendingAccountId } = conversation
  const [draft, setDraft] = useState<Draft>(() => ({ ...emptyDraft, typed: keptReply(id) }))
  const { typed, files } = draft
  const sender = useSenders().data?.results.find((one) => one.id === sendingAccountId)
  const from = sender?.email ?? ''
  useEffect(() => keepReply(id, typed), [id, typed])
  const recipient = replyRecipient(conversation.messages)
  const end = useReplyEnd(conversation, recipient, sender?.signature ?? '')
  // An emptied editor has nothing left of the drafted reply.
  const setTyped = (next: string): void =>
    setDraft((now) => ({ ...now, typed: next, used: next.trim() === '' ? null : now.used }))
  const seen = newestMessageId(conversation)
  const { reply, error, send, pressedToSend, question, reason } = useSending({
    id,
    draft,
    setDraft,
    recipient,
    end,
    seen,
  })
  const snippets = useSnippetChoice(leadId, typed, setTyped)
  const add = (added: readonly File[]): void => {
    const next = withFiles(files, added)
    if ('files' in next) setDraft((now) => ({ ...now, files: next.files }))
    else
      say(
        next.refused === 'too_many'
          ? text.tooManyFiles(replyLimits.files)
          : text.filesTooLarge(bytesText(replyLimits.filesBytes)),
      )
  }
  const drop = useFileDrop(add)
  return (
    <div className={styles['reply']} {...drop}>
      <DraftPanel
        conversation={conversation}
        use={(drafted, used) => setDraft((now) => withDraft(now, drafted, used))}
      />
      {snippets.list}
      <ReplyHead recipient={recipient} copies={draft.copies} change={(copies) => setDraft({ ...draft, copies })} />
      {question}
      <EditorField
        label={text.reply}
        hideLabel
        placeholder={text.replyFrom(from)}
        compact
        value={typed}
        change={setTyped}
        keys={(event) => snippets.pressed(event) || pressedToSend(event)}
      />
      <ReplyEndShown signature={signatureText(end.signature)} quote={end.quote} />
      <ReplyFiles files={files} remove={(gone) => setDraft({ ...draft, files: files.filter((one) => one !== gone) })} />
      <ErrorNote error={error ?? snippets.error} />
      <div className={styles['replyFoot']}>
        <Button
          look="primary"
          busy={reply.isPending}
          operation="replyToConversation"
          disabledReason={reason}
          quietReason
          onClick={() => send()}
        >
          {text.send}
        </Button>
        {reason === null && <SendLater send={send} />}
        <AttachButton add={add} />
        <span>{text.replyFrom(from)}</span>
        <Soft>{text.replyHint}</Soft>
      </div>
    </div>
  )
}

// The drafted reply is put below the typed text, which stays.
function withDraft(draft: Draft, drafted: string, used: UsedDraft): Draft {
  const typed = draft.typed.trim() === '' ? drafted : `${draft.typed}\n\n${drafted}`
  return { ...draft, typed, used }
}

function SendLater({ send }: { send: (at: string) => void }) {
  return (
    <LaterMenu
      operation="replyToConversation"
      label={laterText.sendLater}
      title={laterText.sendLaterTitle}
      submitLabel={laterText.schedule}
      choose={send}
    >
      {laterText.sendLater}
    </LaterMenu>
  )
}

function useReplyEnd(conversation: ConversationWithMessages, recipient: ReplyRecipient | null, signature: string) {
  const { zone } = useTenantTime()
  const answered = conversation.messages.find(({ id }) => id === recipient?.messageId)
  return useMemo(
    () => ({ signature, quote: answered === undefined ? null : buildQuote(answered, zone) }),
    [signature, answered, zone],
  )
}

/** The newest message that the user sees. Ids grow with time. */
function newestMessageId({ messages }: ConversationWithMessages): string {
  return (
    messages
      .map(({ id }) => id)
      .toSorted()
      .at(-1) ?? ''
  )
}

interface SendingUse {
  id: string
  seen: string
  draft: Draft
  setDraft: (draft: Draft | ((now: Draft) => Draft)) => void
  recipient: ReplyRecipient | null
  end: ReplyEnd
}

/** Sends the draft after the seconds in which it can be withdrawn, which brings the draft back. */
function useSending({ id, draft, setDraft, recipient, end, seen }: SendingUse) {
  const { zone } = useTenantTime()
  const stale = useStale()
  const { typed, files } = draft
  const withdrawn = useRef(emptyDraft)
  const withdraw = useWithdraw(id, () => {
    setDraft(withdrawn.current)
    say(text.canceled)
  })
  const reply = useReply(id, (message) => {
    withdrawn.current = draft
    setDraft(emptyDraft)
    const { sendAt } = message
    const doneText = sendAt === null ? text.sent : laterText.scheduled(timeText(sendAt, zone))
    say(doneText, () => withdraw.mutate(message.id))
  })
  const copies = readCopies(draft.copies ?? '')
  const cc = 'cc' in copies ? copies.cc : []
  // The message is named, so that a mail that arrives meanwhile does not change the recipient.
  const answered = recipient === null ? {} : { replyToMessageId: recipient.messageId }
  const ownId = reply.data?.id ?? ''
  const seenMessageId = ownId > seen ? ownId : seen
  const sendOnce = useAskedOnce(recipient, (sendAt) => {
    const known = { ...(seenMessageId !== '' && { seenMessageId }), ...(sendAt !== undefined && { sendAt }) }
    // A colleague or the lead may have written meanwhile, which is then shown beside the refusal. The user may send the text anyway.
    const onError = () => {
      setDraft((now) => ({ ...now, used: null }))
      void stale(['conversations', 'one', id])
    }
    reply.mutate({ typed, cc, files, end, ...answered, ...known, ...draft.used }, { onError })
  })
  const forbidden = usePermissionReason('replyToConversation')
  const reason = forbidden ?? (typed.trim() === '' ? text.sendReason : copiesError(draft.copies))
  return {
    reply,
    reason: reason ?? null,
    error: reply.error ?? withdraw.error,
    send: sendOnce.send,
    question: sendOnce.question,
    pressedToSend: (event: KeyboardEvent): boolean => {
      const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
      if (isSend && reason === undefined) sendOnce.send()
      if (event.key === 'Escape') (event.target as HTMLElement).blur()
      return isSend || event.key === 'Escape'
    },
  }
}

function copiesError(typed: string | null): string | undefined {
  const copies = readCopies(typed ?? '')
  if ('wrong' in copies) return text.wrongCopy(copies.wrong)
  return 'tooMany' in copies ? text.tooManyCopies(copies.tooMany) : undefined
}

function useFileDrop(add: (files: readonly File[]) => void) {
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')
  return {
    onDragOver: (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault()
    },
    onDropCapture: (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      event.stopPropagation()
      add([...event.dataTransfer.files])
    },
  }
}

interface ReplyHeadProps {
  recipient: ReplyRecipient | null
  copies: string | null
  change: (copies: string) => void
}

function ReplyHead({ recipient, copies, change }: ReplyHeadProps) {
  if (recipient === null) return null
  return (
    <>
      <div className={styles['replyTo']}>
        <Recipient recipient={recipient} />
        {copies === null && (
          <Button small look="quiet" onClick={() => change('')}>
            {text.addCopies}
          </Button>
        )}
      </div>
      {copies !== null && (
        <TextField
          label={text.copies}
          autoFocus
          inputMode="email"
          placeholder={text.copiesExample}
          value={copies}
          change={change}
          error={copiesError(copies)}
        />
      )}
    </>
  )
}

function Recipient({ recipient: { email, insteadOf } }: { recipient: ReplyRecipient }) {
  return <div>{insteadOf === null ? text.replyTo(email) : text.replyElsewhere(email, insteadOf)}</div>
}

/** Asks before the first reply to an address that only the mail itself named (`Reply-To`). */
function useAskedOnce(recipient: ReplyRecipient | null, sendNow: (sendAt?: string) => void) {
  const [asking, setAsking] = useState(false)
  const agreedTo = useRef<string | null>(null)
  const wanted = useRef<string | undefined>(undefined)
  const elsewhere = recipient !== null && recipient.insteadOf !== null ? recipient : null
  const agree = (): void => {
    agreedTo.current = elsewhere?.email ?? null
    setAsking(false)
    sendNow(wanted.current)
  }
  return {
    send: (sendAt?: string): void => {
      wanted.current = sendAt
      if (elsewhere === null || agreedTo.current === elsewhere.email) sendNow(sendAt)
      else setAsking(true)
    },
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
