import type { SendingAccountDiscovery } from '@overture/sdk'
import { text } from './guides.messages.ts'

type Name = keyof typeof text.steps
type Label = keyof typeof text.links

export interface Guide {
  name: Name
  /** The page of the provider for each step, in the order of the steps. A step can have none. */
  links: readonly ({ label: Label; url: string } | null)[]
}

/** The guides by the name of the SMTP server. */
const guides: readonly (readonly [string, Guide])[] = [
  [
    'smtp.mail.yahoo.com',
    { name: 'yahoo', links: [{ label: 'security', url: 'https://login.yahoo.com/account/security' }] },
  ],
  ['smtp.aol.com', { name: 'aol', links: [{ label: 'security', url: 'https://login.aol.com/account/security' }] }],
  ['smtp.mail.me.com', { name: 'icloud', links: [{ label: 'apple', url: 'https://account.apple.com' }] }],
  [
    'smtp.fastmail.com',
    { name: 'fastmail', links: [{ label: 'fastmail', url: 'https://app.fastmail.com/settings/security' }] },
  ],
  [
    'smtppro.zoho.eu',
    {
      name: 'zoho',
      links: [
        { label: 'zohoMail', url: 'https://mail.zoho.eu' },
        { label: 'security', url: 'https://accounts.zoho.eu/home' },
      ],
    },
  ],
  [
    'smtppro.zoho.in',
    {
      name: 'zoho',
      links: [
        { label: 'zohoMail', url: 'https://mail.zoho.in' },
        { label: 'security', url: 'https://accounts.zoho.in/home' },
      ],
    },
  ],
  [
    'smtppro.zoho.com',
    {
      name: 'zoho',
      links: [
        { label: 'zohoMail', url: 'https://mail.zoho.com' },
        { label: 'security', url: 'https://accounts.zoho.com/home' },
      ],
    },
  ],
  ['mail.gmx.net', { name: 'gmx', links: [{ label: 'gmx', url: 'https://hilfe.gmx.net/pop-imap/einschalten.html' }] }],
  [
    'smtp.web.de',
    { name: 'webde', links: [{ label: 'webde', url: 'https://hilfe.web.de/pop-imap/einschalten.html' }] },
  ],
  [
    'smtp.yandex.com',
    {
      name: 'yandex',
      links: [
        { label: 'yandexMail', url: 'https://mail.yandex.com/#setup/client' },
        { label: 'appPasswords', url: 'https://id.yandex.com/security/app-passwords' },
      ],
    },
  ],
  [
    'smtp.mail.ru',
    { name: 'mailru', links: [{ label: 'security', url: 'https://account.mail.ru/user/2-step-auth/passwords' }] },
  ],
]

const google: Guide = {
  name: 'google',
  links: [
    { label: 'twoStep', url: 'https://myaccount.google.com/signinoptions/twosv' },
    { label: 'appPasswords', url: 'https://myaccount.google.com/apppasswords' },
  ],
}
const microsoft: Guide = {
  name: 'microsoft',
  links: [{ label: 'admin', url: 'https://admin.microsoft.com/#/users' }],
}

/** The steps at the provider of a mailbox; null if it has none that we know. */
export function findGuide({ provider, smtp }: Pick<SendingAccountDiscovery, 'provider' | 'smtp'>): Guide | null {
  if (provider === 'google') return google
  if (provider === 'microsoft') return microsoft
  return guides.find(([host]) => host === smtp?.host)?.[1] ?? null
}

/** Whether the servers come from our own list, so that few people need to see them. */
export function hidesServers({ source, smtp, imap }: SendingAccountDiscovery): boolean {
  return (source === 'known' || source === 'mx') && smtp !== null && imap !== null
}
