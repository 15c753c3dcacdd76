export { TagFilter } from './tag-filter.panel.tsx'
export { TagsPanel } from './tags.panel.tsx'
