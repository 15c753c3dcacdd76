import { words } from '../platform/text/words.ts'

export const text = words('tags', {
  title: 'Tags',
  tag: 'Tag',
  any: 'Any tag',
  none: 'No tags yet. A tag finds campaigns, people and sending accounts by a word.',
  newTag: 'New tag',
  choose: 'Tag to add',
  chooseOne: 'Choose a tag',
  assign: 'Add',
  remove: (name: string) => `Remove ${name}`,
  manage: 'Manage tags',
  rename: 'Rename',
  renameOf: (name: string) => `Rename ${name}`,
  newName: (name: string) => `New name of ${name}`,
  renamed: 'Tag renamed',
  delete: 'Delete',
  deleteTitle: 'Delete this tag?',
  deleteText: (name: string) =>
    `“${name}” is removed from all campaigns, people and sending accounts that have it. Nothing else changes. ` +
    'This can’t be undone.',
  tagDeleted: (name: string) => `${name} was deleted`,
  select: (name: string) => `Select ${name}`,
  regions: {
    campaigns: 'Actions for selected campaigns',
    people: 'Actions for selected people',
    senders: 'Actions for selected sending accounts',
  },
  selected: (count: string) => `${count} selected`,
  selectLoaded: (count: string) => `Select all ${count} loaded`,
  selectMatching: (count: string) => `Select all ${count} that match`,
  clear: 'Clear selection',
  open: { assign: 'Add tag', unassign: 'Remove tag' },
  dialog: {
    assign: (count: string) => `Add a tag to ${count} selected`,
    unassign: (count: string) => `Remove a tag from ${count} selected`,
  },
  chooseToRemove: 'Tag to remove',
  unassign: 'Remove',
  noneToRemove: 'The selected rows have no tags.',
  progress: 'Progress',
  sent: (done: string, total: string) => `${done} of ${total}`,
  stopped: (done: string, total: string) =>
    `${done} of ${total} are done. Continue with the rest, or close this to keep what is done.`,
  resume: 'Continue',
  halt: 'Stop',
  halted: (done: string, total: string) => `Stopped after ${done} of ${total}`,
  changed: {
    assign: (tag: string, count: string) => `${tag} added to ${count}`,
    unassign: (tag: string, count: string) => `${tag} removed from ${count}`,
  },
  unchanged: {
    assign: (count: string) => `${count} had it already`,
    unassign: (count: string) => `${count} did not have it`,
  },
  gone: (count: string) => (count === '1' ? '1 no longer exists' : `${count} no longer exist`),
  undone: 'Change undone',
})
