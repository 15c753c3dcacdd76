export { ListTable } from './list-table.tsx'
export { useNarrow } from './narrow.ts'
export { Table, type Column } from './table.tsx'
export { useSelection, type Selection } from './selection.ts'
