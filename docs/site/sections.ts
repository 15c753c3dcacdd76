/** A group of pages in the sidebar. A page of `docs/` that is in no section is listed in the last one. */
interface Section {
  title: string
  /** Names of pages, without the ending, in reading order. */
  pages: readonly string[]
}

export const sections: readonly Section[] = [
  { title: 'Tutorials', pages: ['first-campaign', 'tests-in-ci', 'reply-agent', 'examples'] },
  {
    title: 'How to',
    pages: [
      'mailboxes',
      'webhooks',
      'million-leads',
      'automations',
      'n8n',
      'assistants',
      'texts',
      'moving-in',
      'moving-out',
      'inbox-work',
      'contact-policy',
      'lists',
      'reports',
      'suppression-lists',
      'address-verification',
      'law-by-country',
      'tasks',
      'testing-your-integration',
      'before-you-send',
      'holidays',
      'team',
      'ai',
      'lead-finder',
    ],
  },
  {
    title: 'Operating',
    pages: [
      'operating',
      'install',
      'kubernetes',
      'several-nodes',
      'replica',
      'citus',
      'sizing',
      'upgrades',
      'encryption-key',
      'monitoring',
      'alerts',
      'unread-mail',
      'returned-messages',
      'account-deletion',
      'backup',
      'failover',
      'doctor',
    ],
  },
  {
    title: 'Reference',
    pages: ['contract', 'metrics', 'configuration', 'log-events', 'cli', 'sdk', 'routes'],
  },
  {
    title: 'Explanation',
    pages: ['delivery', 'planner', 'inbox', 'inbox-accuracy', 'limits', 'deliverability', 'reliability', 'comparison'],
  },
]

/** Pages outside `docs/`, by their names on the site. */
export const pagesElsewhere: Readonly<Record<string, string>> = {
  sdk: 'packages/sdk/README.md',
  n8n: 'integrations/n8n/README.md',
  examples: 'examples/README.md',
}
