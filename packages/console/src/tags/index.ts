export { BulkTags } from './bulk-tags.panel.tsx'
export { TagFilter } from './tag-filter.panel.tsx'
export { TagsPanel } from './tags.panel.tsx'
export { text as tagText } from './tags.messages.ts'
