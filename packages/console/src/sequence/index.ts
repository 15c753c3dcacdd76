export { EntryForm } from './branches/entry.panel.tsx'
