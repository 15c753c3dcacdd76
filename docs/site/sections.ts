/** Where a page of `docs/` stands among the others; what is in no section stands in the last. */
interface Section {
  title: string
  /** Names of pages, without the ending, in the order in which one reads them. */
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
      'operating',
      'backup',
      'automations',
      'n8n',
      'assistants',
      'texts',
      'moving-in',
      'inbox-work',
      'contact-policy',
      'lists',
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
    title: 'Reference',
    pages: ['contract', 'metrics', 'configuration', 'log-events', 'cli', 'sdk', 'routes'],
  },
  {
    title: 'Explanation',
    pages: ['delivery', 'planner', 'inbox', 'inbox-accuracy', 'limits', 'deliverability', 'reliability', 'comparison'],
  },
]

/** Pages that lie elsewhere in the repository, by their names on the site. */
export const pagesElsewhere: Readonly<Record<string, string>> = {
  sdk: 'packages/sdk/README.md',
  n8n: 'integrations/n8n/README.md',
  examples: 'examples/README.md',
}
