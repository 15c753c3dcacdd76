import type { ConversationWithMessages, ReplyDraft } from '@overture/sdk'
import { useCampaign } from '../../campaigns/index.ts'
import { Button, ErrorNote, Soft } from '../../platform/ui/index.ts'
import styles from '../inbox.module.css'
import { useDismissDraft, useWriteDraft } from './drafts.actions.ts'
import { text } from './drafts.messages.ts'

/** A draft that a user put into the editor. The reply names it, so that nothing is sent for a newer message. */
export interface UsedDraft {
  draftId: string
  draftDigest: string
}

interface DraftPanelProps {
  conversation: ConversationWithMessages
  use: (text: string, used: UsedDraft) => void
}

/** The drafted reply above the editor. A user puts it into the editor, and sends it from there. */
export function DraftPanel({ conversation, use }: DraftPanelProps) {
  const { id, draft } = conversation
  const write = useWriteDraft(id)
  const dismiss = useDismissDraft(id)
  const canWrite = useCanWrite(conversation)
  const { status = null, text: written = null, textDigest = null } = draft ?? {}
  const isShown = status === 'ready' || status === 'requested' || status === 'failed'
  if (!isShown && !canWrite) return null
  return (
    <section className={styles['draft']} aria-label={text.title}>
      {isShown && <Written status={status} written={written} error={draft?.error ?? null} />}
      <div className={styles['draftFoot']}>
        {draft && status === 'ready' && written !== null && textDigest !== null && (
          <Button
            small
            operation="replyToConversation"
            onClick={() => use(written, { draftId: draft.id, draftDigest: textDigest })}
          >
            {text.use}
          </Button>
        )}
        {canWrite && status !== 'requested' && (
          <Button
            small
            look="quiet"
            operation="writeReplyDraft"
            busy={write.isPending}
            onClick={() => write.mutate(undefined)}
          >
            {isShown ? text.again : text.write}
          </Button>
        )}
        {isShown && (
          <Button
            small
            look="quiet"
            operation="dismissReplyDraft"
            busy={dismiss.isPending}
            onClick={() => dismiss.mutate(undefined)}
          >
            {text.dismiss}
          </Button>
        )}
      </div>
      <ErrorNote error={write.error ?? dismiss.error} />
    </section>
  )
}

interface WrittenProps {
  status: ReplyDraft['status']
  written: string | null
  error: string | null
}

function Written({ status, written, error }: WrittenProps) {
  if (status === 'requested') return <Soft>{text.writing}</Soft>
  if (status === 'failed' || written === null)
    return (
      <p>
        {text.failed} {error}
      </p>
    )
  return (
    <>
      <Soft>{text.hint}</Soft>
      <p className={styles['draftText']}>{written}</p>
    </>
  )
}

/** Whether the campaign drafts replies and the conversation has one to answer. */
function useCanWrite({ campaignId, awaiting }: ConversationWithMessages): boolean {
  const campaign = useCampaign(awaiting ? campaignId : null).data
  return awaiting && campaign?.settings.replyDrafts === 'on'
}
