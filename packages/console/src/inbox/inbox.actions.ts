import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Conversation, Message, Template } from '@overture/sdk'
import { filledSource, replyBody, type ReplyEnd } from '../editor/index.ts'
import { useAction } from '../platform/api/action.ts'
import { useApi, useEnvironment } from '../platform/api/environment.tsx'
import { usePermissionReason } from '../platform/session/permission.ts'
import { errorText, say } from '../platform/ui/index.ts'
import { interestText } from '../leads/index.ts'
import { text } from './inbox.messages.ts'
import { readAttachment } from './reply/reply-files.ts'

export interface ConversationPatch {
  unread?: boolean
  archived?: boolean
  interest?: Conversation['interest']
  snoozedUntil?: string | null
  ownerId?: string | null
}

type CachedAnswer = { pages?: { results: Conversation[] }[] } & Partial<Conversation>

/**
 * Read, archived and label change at once on the screen, and are reverted if the API refuses. Each change has an inverse, so it can be
 * undone.
 */
export function usePatchConversation() {
  const api = useApi()
  const environment = useEnvironment()
  const client = useQueryClient()
  const forbidden = usePermissionReason('updateConversation')
  const show = (id: string, patch: ConversationPatch): void => {
    client.setQueriesData<CachedAnswer>({ queryKey: [environment, 'conversations'] }, (data) =>
      patched(data, id, patch),
    )
  }
  const write = useMutation({
    mutationFn: async ({ id, patch }: { id: string; patch: ConversationPatch }) => api.conversations.update(id, patch),
    onMutate: ({ id, patch }) => show(id, patch),
    onError: (error) => say(errorText(error)),
    onSettled: () => client.invalidateQueries({ queryKey: [environment, 'conversations'] }),
  })
  return (conversation: Conversation, patch: ConversationPatch, doneText?: string): void => {
    // Keys have no button that is disabled.
    if (forbidden !== null) return say(forbidden)
    const before: ConversationPatch = Object.fromEntries(
      Object.keys(patch).map((name) => [name, conversation[name as keyof ConversationPatch]]),
    )
    const { id } = conversation
    write.mutate({ id, patch })
    if (doneText !== undefined) say(doneText, () => write.mutate({ id, patch: before }))
  }
}

function patched(data: CachedAnswer | undefined, id: string, patch: ConversationPatch): CachedAnswer | undefined {
  if (data === undefined) return data
  if (data.id === id) return { ...data, ...patch }
  if (data.pages === undefined) return data
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      results: page.results.map((one) => (one.id === id ? { ...one, ...patch } : one)),
    })),
  }
}

export interface ConversationActs {
  archive: () => void
  unread: () => void
  label: (interest: Conversation['interest']) => void
}

/** The actions on a conversation that have a key or a button. */
export function useConversationActs(conversation: Conversation | undefined): ConversationActs {
  const patch = usePatchConversation()
  if (conversation === undefined) return { archive: nothing, unread: nothing, label: nothing }
  const { archived, unread, interest } = conversation
  return {
    archive: () => patch(conversation, { archived: !archived }, archived ? text.unarchived : text.archived),
    unread: () => patch(conversation, { unread: !unread }),
    label: (next) => {
      if (next === interest) return
      patch(conversation, { interest: next }, next === null ? text.labelGone : text.labelled(interestText[next]))
    },
  }
}

const nothing = (): void => undefined

export interface TypedReply {
  /** The source that the editor wrote. */
  typed: string
  cc: readonly string[]
  files: readonly File[]
  end: ReplyEnd
  replyToMessageId?: string
  /** The newest message on the screen, so that two colleagues don't answer twice. */
  seenMessageId?: string
  /** The drafted reply that the text was made from. */
  draftId?: string
  draftDigest?: string
  /** When the reply is sent; otherwise at once. */
  sendAt?: string
}

/** How long a reply can be withdrawn. */
const undoSeconds = 8

export function useReply(id: string, done: (message: Message) => void) {
  return useAction<TypedReply, Message>({
    // The message waits on the server, so it is sent even if the tab is closed.
    act: async (api, { typed, end, cc, files, ...rest }) =>
      api.conversations.reply(id, {
        ...rest,
        ...(await replyBody(typed, end)),
        ...(cc.length > 0 && { cc: [...cc] }),
        ...(files.length > 0 && { attachments: await Promise.all(files.map(readAttachment)) }),
        ...(rest.sendAt === undefined && { delaySeconds: undoSeconds }),
      }),
    stale: () => [['conversations'], ['leads'], ['campaigns']],
    done,
  })
}

/** Fills a snippet with the values of this lead. */
export function useFilledSnippet(leadId: string | null, done: (filled: string) => void) {
  return useAction<Template, string>({
    act: async (api, { id, body }) =>
      leadId === null ? body : filledSource({ body, ...(await api.templates.preview(id, { leadId })) }),
    done,
  })
}

/** Withdraws a reply that is not being sent yet. */
export function useWithdraw(id: string, done: () => void) {
  return useAction<string>({
    act: (api, messageId) => api.conversations.withdraw(id, messageId),
    stale: () => [['conversations'], ['leads']],
    done,
  })
}
