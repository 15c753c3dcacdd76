import { words } from '../../platform/text/words.ts'

export const text = words('trackingDomain', {
  title: 'Tracking domain',
  about:
    'Tracked links and opens use this domain. With a domain of your own, they match your address. It must reach this server ' +
    'by https.',
  domain: 'Domain for links',
  domainHint: (domain: string) => `Such as links.${domain}. Leave it empty to use the address of this server.`,
  save: 'Use this domain',
  record: 'DNS record of the tracking domain',
  copy: 'Copy the record',
  warmUp: 'Warm-up',
  warmUpText:
    'There is no warm-up here, on purpose. Mailboxes that open each other’s mail improve statistics and nothing for ' +
    'recipients, and providers forbid it. Start a new mailbox with few messages per day, ' +
    'and raise the limit each week. The page “Deliverability” of the documentation has more.',
})
