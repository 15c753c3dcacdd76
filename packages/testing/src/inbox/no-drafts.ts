import type { ConversationDrafts } from '@overture/server/inbox/index.ts'

/** Conversations without drafted replies. */
export const noDrafts: ConversationDrafts = {
  show: () => Promise.resolve(null),
  take: () => Promise.reject(new Error('There are no drafts.')),
  close: () => Promise.resolve(),
  reopen: () => Promise.resolve(),
}
