import { words } from '../platform/text/words.ts'

export const text = words('texts', {
  status: 'Status',
  all: 'All',
  filters: 'Filters',
  statuses: {
    requested: 'Being written',
    waiting: 'Waits for you',
    approved: 'Approved',
    rejected: 'Rejected',
    failed: 'Failed',
  },
  none: 'No texts by a model',
  noneText:
    'Where a variant is written by a model, what it wrote for each lead stands here, to be approved before it goes out.',
  approve: 'Approve',
  reject: 'Reject',
  edit: 'Edit',
  save: 'Save',
  subject: 'Subject',
  body: 'Body',
  edited: 'edited by a person',
  lead: 'Lead',
  list: 'Texts',
  more: 'Load more',
})
