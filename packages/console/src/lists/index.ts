export { FollowList } from './follow-list.panel.tsx'
export { useAddMembers } from './lists.actions.ts'
export { useLists } from './lists.queries.ts'
