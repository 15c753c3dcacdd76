export { AddToList } from './add-to-list.panel.tsx'
export { FollowList } from './follow-list.panel.tsx'
export { text as listText } from './lists.messages.ts'
