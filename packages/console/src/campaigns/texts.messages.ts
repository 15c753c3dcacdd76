import { words } from '../platform/text/words.ts'

export const text = words('texts', {
  status: 'Status',
  all: 'All',
  filters: 'Filters',
  statuses: {
    requested: 'Being written',
    waiting: 'Waiting for you',
    approved: 'Approved',
    rejected: 'Rejected',
    failed: 'Failed',
  },
  noModel: 'No AI model is connected, so no text is written by AI. The administrator of this server can add a key.',
  none: 'No AI texts yet',
  noneText: 'If a variant is written by AI, its text for each lead appears here. You approve it before it is sent.',
  approve: 'Approve',
  reject: 'Reject',
  edit: 'Edit',
  save: 'Save',
  subject: 'Subject',
  body: 'Body',
  edited: 'edited by a user',
  lead: 'Lead',
  list: 'Texts',
  more: 'Load more',
})
