import type { AccountExport } from '@overture/sdk'
import { words } from '../platform/text/words.ts'

export type ExportFile = AccountExport['files'][number]

const tables: Readonly<Record<ExportFile['table'], string>> = {
  campaigns: 'Campaigns',
  templates: 'Templates',
  sending_accounts: 'Sending accounts',
  tags: 'Tags',
  lists: 'Lists',
  list_members: 'Members of lists',
  people: 'People',
  leads: 'Leads',
  suppressions: 'Suppressions',
  conversations: 'Conversations',
  messages: 'Messages',
  meetings: 'Meetings',
  tasks: 'Tasks',
  events: 'Events',
}
const statuses: Readonly<Record<AccountExport['status'], string>> = {
  pending: 'Starting',
  running: 'Running',
  completed: 'Ready',
  failed: 'Failed',
  removed: 'Files deleted',
}
const formats: Readonly<Record<AccountExport['format'], string>> = { csv: 'CSV', ndjson: 'NDJSON' }

export const tableText = words('exportTables', tables)
export const statusText = words('exportStatuses', statuses)
export const formatText = words('exportFormats', formats)

export const text = words('exports', {
  start: 'Export data',
  lead: 'Writes your data to files, one for each kind of data. No file contains a password or a key.',
  what: 'Data',
  all: 'All data',
  some: 'Only some data',
  tables: 'Kinds of data',
  format: 'Format',
  formatHints: {
    csv: 'CSV, for spreadsheets',
    ndjson: 'NDJSON, for programs: one JSON object per line',
  },
  from: 'Created from',
  to: 'Created until',
  dayHint: (zone: string) => `Time zone: ${zone}. Leave it empty for no limit.`,
  toHint: 'This day is included.',
  chooseTables: 'Choose at least one kind of data.',
  runs: 'An export is running. Wait until it is ready, or delete it.',
  started: 'Export started',
  none: 'No exports yet',
  noneText: 'Exports appear here with their files, and can be downloaded for 7 days.',
  title: (time: string) => `Export of ${time}`,
  facts: (format: string, range: string) => `${format}, ${range}`,
  allDates: 'rows of all dates',
  since: (from: string) => `rows created from ${from}`,
  before: (to: string) => `rows created before ${to}`,
  between: (from: string, to: string) => `rows created from ${from} and before ${to}`,
  progress: 'Progress of the export',
  written: (done: string, files: string, rows: string) =>
    `${done} of ${files} files are complete. ${rows} rows so far.`,
  kept: (time: string) => `The files can be downloaded until ${time}. Then they are deleted.`,
  removed: 'A person was erased, so the files were deleted. Start a new export.',
  failed: 'The export failed.',
  files: (count: string) => (count === '1' ? '1 file' : `${count} files`),
  table: 'Data',
  rows: 'Rows',
  size: 'Size',
  sha256: 'SHA-256',
  copy: 'Copy',
  copySha256: (table: string) => `Copy the SHA-256 of ${table}`,
  download: 'Download',
  downloadFile: (table: string) => `Download ${table}`,
  notYet: 'Not complete yet',
  remove: 'Delete',
  removeTitle: 'Delete this export?',
  removeText: 'Its files are deleted here. Files that you downloaded stay on your computer.',
  removeRunning: 'The export stops, and its files are deleted here.',
  deleted: 'Export deleted',
  more: 'Show older exports',
})
