import { words } from '../platform/text/words.ts'

export const text = words('campaign-document', {
  exportButton: 'Export',
  openImport: 'Import',
  title: 'Import a campaign',
  explanation:
    'Choose the file of an exported campaign. It becomes a draft with the same steps, schedule and settings. Leads are not in the file.',
  file: 'Campaign file',
  drop: 'Drop a campaign file here',
  importButton: 'Import campaign',
  unreadable: 'This file can’t be read. Choose a file that Overture exported, of at most 10 MB.',
  complete: 'The campaign was imported completely.',
  leftOut: 'The campaign was imported. These parts were left out:',
  show: (name: string) => `Open ${name}`,
})
