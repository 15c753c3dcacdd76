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
})
