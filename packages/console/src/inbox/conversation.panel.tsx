import type { Conversation, ConversationWithMessages } from '@overture/sdk'
import { ChevronDown } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useCampaigns } from '../campaigns/index.ts'
import { LeadCompanyPause, interestChoices, interestText, ThreadMessages, type ThreadEntry } from '../leads/index.ts'
import { usePaths } from '../paths.ts'
import { usePermissionReason } from '../platform/session/permission.ts'
import { Button, Empty, Link, LinkButton, Menu, Shown } from '../platform/ui/index.ts'
import { useSenders } from '../sending-accounts/index.ts'
import { useConversationActs, usePatchConversation } from './inbox.actions.ts'
import { Forward, ForwardShown } from './forward/forward.panel.tsx'
import { text } from './inbox.messages.ts'
import { useConversation } from './inbox.queries.ts'
import { ScheduledReply } from './later/scheduled-reply.panel.tsx'
import { SnoozeMenu } from './later/snooze.panel.tsx'
import { AddNote } from './notes/note-form.panel.tsx'
import { NoteShown } from './notes/note.panel.tsx'
import { OwnerMenu } from './owner.panel.tsx'
import { personName } from './person-name.ts'
import { ReplyPanel } from './reply/reply.panel.tsx'
import styles from './inbox.module.css'

const chevronSize = 14

export interface ConversationPaneProps {
  id: string | undefined
  /** The conversation from the list, including changes from a moment ago. */
  known: Conversation | undefined
  backTo: string
}

export function ConversationPane({ id, known, backTo }: ConversationPaneProps) {
  if (id === undefined)
    return (
      <section className={styles['pane']} aria-label={text.thread}>
        <Empty title={text.choose}>{text.chooseText}</Empty>
      </section>
    )
  return <OpenConversation id={id} known={known} backTo={backTo} />
}

function OpenConversation({ id, known, backTo }: { id: string; known: Conversation | undefined; backTo: string }) {
  const conversation = useConversation(id)
  useReadMark(known ?? conversation.data)
  useNewestInView(conversation.data !== undefined)
  return (
    <section className={styles['pane']} id="conversation" tabIndex={-1} aria-label={text.thread}>
      <div className={styles['backLink']}>
        <LinkButton small to={backTo}>
          {text.back}
        </LinkButton>
      </div>
      <Shown of={conversation}>
        {(data) => (
          <>
            <Head conversation={{ ...data, ...known }} />
            <div className={styles['messages']} tabIndex={0} role="group" aria-label={text.messages}>
              <ThreadMessages
                label={text.thread}
                messages={data.messages}
                between={threadEntries(data)}
                endOf={(message) => (
                  <>
                    <ScheduledReply conversationId={data.id} message={message} />
                    <Forward conversationId={data.id} message={message} />
                  </>
                )}
              />
              <AddNote conversationId={data.id} />
            </div>
            <ReplyPanel conversation={data} />
          </>
        )}
      </Shown>
    </section>
  )
}

/** The notes and the forwards of a conversation, which are shown between its messages. */
function threadEntries({ id, notes, forwards }: ConversationWithMessages): ThreadEntry[] {
  const entries = [
    ...notes.map((note) => ({
      id: note.id,
      at: note.createdAt,
      shown: <NoteShown conversationId={id} note={note} />,
    })),
    ...forwards.map((forward) => ({
      id: forward.id,
      at: forward.createdAt,
      shown: <ForwardShown forward={forward} />,
    })),
  ]
  return entries.toSorted((one, other) => one.at.localeCompare(other.at))
}

/** Marks a conversation as read when it is opened. If the user then marks it as unread, it stays unread. */
function useReadMark(conversation: Conversation | ConversationWithMessages | undefined): void {
  const patch = usePatchConversation()
  const mayMark = usePermissionReason('updateConversation') === null
  const marked = useRef(false)
  useEffect(() => {
    if (conversation === undefined || marked.current || !mayMark) return
    marked.current = true
    if (conversation.unread) patch(conversation, { unread: false })
  }, [conversation])
}

/** A conversation opens at its newest message. */
function useNewestInView(loaded: boolean): void {
  useEffect(() => {
    if (loaded) document.querySelector('#conversation ol > li:last-child')?.scrollIntoView({ block: 'start' })
  }, [loaded])
}

function Head({ conversation }: { conversation: Conversation }) {
  const paths = usePaths()
  const acts = useConversationActs(conversation)
  const sender = useSenders().data?.results.find(({ id }) => id === conversation.sendingAccountId)?.email ?? ''
  const campaign = useCampaigns().data?.results.find(({ id }) => id === conversation.campaignId)?.name
  const { campaignId, leadId, archived, unread, interest } = conversation
  return (
    <header className={styles['paneHead']}>
      <div className={styles['paneTitle']}>
        <h2>{personName(conversation)}</h2>
        <p>{campaign === undefined ? text.via(sender) : text.viaCampaign(sender, campaign)}</p>
      </div>
      <Menu
        small
        operation="updateConversation"
        label={interest === null ? text.setLabel : text.labelled(interestText[interest])}
        items={[
          ...interestChoices.map(({ value, label }) => ({ label, act: () => acts.label(value) })),
          { label: text.noLabel, act: () => acts.label(null) },
        ]}
      >
        {interest === null ? text.setLabel : interestText[interest]}
        <ChevronDown size={chevronSize} aria-hidden />
      </Menu>
      <SnoozeMenu conversation={conversation} />
      <OwnerMenu conversation={conversation} />
      <Button small quietReason operation="updateConversation" onClick={acts.archive}>
        {archived ? text.unarchive : text.archive}
      </Button>
      <Button small look="quiet" quietReason operation="updateConversation" onClick={acts.unread}>
        {unread ? text.markRead : text.markUnread}
      </Button>
      {campaignId !== null && leadId !== null && (
        <>
          <LeadCompanyPause campaignId={campaignId} leadId={leadId} />
          <Link to={paths.lead(campaignId, leadId, 'why')}>{text.why}</Link>
          <Link to={paths.lead(campaignId, leadId)}>{text.lead}</Link>
        </>
      )}
    </header>
  )
}
