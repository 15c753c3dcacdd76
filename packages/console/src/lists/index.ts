export { FollowList } from './follow-list.panel.tsx'
