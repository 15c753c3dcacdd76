import type { OAuthProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import { server, type ServerPair } from './server-pair.ts'

export interface KnownProvider {
  name: string
  /** The domains of the provider's own addresses. */
  domains: readonly string[]
  /** Names or name endings of the mail exchanges of domains that it serves. */
  exchanges: readonly string[]
  /** Null: it has no servers to which a program could log in. */
  servers: ServerPair | null
  oauth?: OAuthProvider
  hint?: string
}

const appPassword = (name: string): string =>
  `${name} needs an app password here. Create one in the settings of the account, because the usual password is rejected.`
const switchedOn = (name: string): string =>
  `Turn on IMAP and SMTP in the settings of ${name} first. Some accounts also need an app password.`
const noServers = (name: string): string => `${name} has no servers that a program could send by and read from.`

/** One or two hosts for sending with TLS on 465 and reading with TLS on 993. */
const overTls = (smtp: string, imap: string = smtp): ServerPair => ({
  smtp: server(smtp, 465, 'tls'),
  imap: server(imap, 993, 'tls'),
})
const overStartTls = (smtp: string, imap: string): ServerPair => ({
  smtp: server(smtp, 587, 'starttls'),
  imap: server(imap, 993, 'tls'),
})

/** The servers of known providers, from the providers' own pages about mail programs. */
export const knownProviders: readonly KnownProvider[] = [
  {
    name: 'Google',
    domains: ['gmail.com', 'googlemail.com'],
    exchanges: ['google.com', 'googlemail.com'],
    servers: overTls('smtp.gmail.com', 'imap.gmail.com'),
    oauth: 'google',
    hint: appPassword('Google'),
  },
  {
    name: 'Microsoft',
    domains: [
      'outlook.com',
      'outlook.de',
      'outlook.fr',
      'hotmail.com',
      'hotmail.co.uk',
      'hotmail.fr',
      'live.com',
      'msn.com',
    ],
    exchanges: ['mail.protection.outlook.com', 'olc.protection.outlook.com', 'mx.microsoft'],
    servers: overStartTls('smtp.office365.com', 'outlook.office365.com'),
    oauth: 'microsoft',
    hint: 'Microsoft accepts a password only if an administrator allows SMTP AUTH.',
  },
  {
    name: 'AOL',
    domains: ['aol.com', 'aim.com'],
    exchanges: ['mx-aol.mail.gm0.yahoodns.net'],
    servers: overTls('smtp.aol.com', 'imap.aol.com'),
    hint: appPassword('AOL'),
  },
  {
    name: 'Yahoo',
    domains: ['yahoo.com', 'yahoo.co.uk', 'yahoo.de', 'yahoo.fr', 'yahoo.ca', 'ymail.com', 'rocketmail.com'],
    exchanges: ['yahoodns.net'],
    servers: overTls('smtp.mail.yahoo.com', 'imap.mail.yahoo.com'),
    hint: appPassword('Yahoo'),
  },
  {
    name: 'iCloud',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    exchanges: ['mail.icloud.com'],
    servers: overStartTls('smtp.mail.me.com', 'imap.mail.me.com'),
    hint: appPassword('Apple'),
  },
  {
    name: 'Zoho (EU)',
    domains: ['zohomail.eu', 'zoho.eu'],
    exchanges: ['zoho.eu'],
    servers: overTls('smtppro.zoho.eu', 'imappro.zoho.eu'),
    hint: switchedOn('Zoho Mail'),
  },
  {
    name: 'Zoho (India)',
    domains: ['zohomail.in', 'zoho.in'],
    exchanges: ['zoho.in'],
    servers: overTls('smtppro.zoho.in', 'imappro.zoho.in'),
    hint: switchedOn('Zoho Mail'),
  },
  {
    name: 'Zoho',
    domains: ['zohomail.com', 'zoho.com'],
    exchanges: ['zoho.com', 'zohomail.com'],
    servers: overTls('smtppro.zoho.com', 'imappro.zoho.com'),
    hint: switchedOn('Zoho Mail'),
  },
  {
    name: 'Fastmail',
    domains: ['fastmail.com', 'fastmail.fm'],
    exchanges: ['messagingengine.com'],
    servers: overTls('smtp.fastmail.com', 'imap.fastmail.com'),
    hint: appPassword('Fastmail'),
  },
  {
    name: 'Proton Mail',
    domains: ['proton.me', 'protonmail.com', 'pm.me'],
    exchanges: ['protonmail.ch'],
    servers: null,
    hint: 'Proton Mail needs the program Proton Bridge on the same machine. Enter the address of Proton Bridge.',
  },
  {
    name: 'Tuta',
    domains: ['tuta.com', 'tutanota.com', 'tutanota.de'],
    exchanges: ['tutanota.de'],
    servers: null,
    hint: noServers('Tuta'),
  },
  {
    name: 'GMX',
    domains: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'],
    exchanges: ['gmx.net'],
    servers: overTls('mail.gmx.net', 'imap.gmx.net'),
    hint: switchedOn('GMX'),
  },
  {
    name: 'GMX (international)',
    domains: ['gmx.com', 'gmx.us', 'gmx.co.uk'],
    exchanges: ['gmx.com'],
    servers: overStartTls('mail.gmx.com', 'imap.gmx.com'),
    hint: switchedOn('GMX'),
  },
  {
    name: 'WEB.DE',
    domains: ['web.de'],
    exchanges: ['web.de'],
    servers: overStartTls('smtp.web.de', 'imap.web.de'),
    hint: switchedOn('WEB.DE'),
  },
  {
    name: 'mail.com',
    domains: ['mail.com', 'email.com'],
    exchanges: ['mail.com'],
    servers: overStartTls('smtp.mail.com', 'imap.mail.com'),
    hint: switchedOn('mail.com'),
  },
  {
    name: 'T-Online',
    domains: ['t-online.de', 'magenta.de'],
    exchanges: ['t-online.de'],
    servers: overTls('securesmtp.t-online.de', 'secureimap.t-online.de'),
    hint: 'Telekom needs a password for mail programs here. Create one in the customer center.',
  },
  {
    name: 'IONOS (Germany)',
    domains: [],
    exchanges: ['kundenserver.de', 'ionos.de'],
    servers: overTls('smtp.ionos.de', 'imap.ionos.de'),
  },
  {
    name: 'IONOS',
    domains: [],
    exchanges: ['ionos.com', '1and1.com'],
    servers: overTls('smtp.ionos.com', 'imap.ionos.com'),
  },
  { name: 'Strato', domains: [], exchanges: ['rzone.de'], servers: overTls('smtp.strato.de', 'imap.strato.de') },
  { name: 'OVHcloud', domains: [], exchanges: ['mail.ovh.net'], servers: overTls('ssl0.ovh.net') },
  { name: 'Gandi', domains: [], exchanges: ['mail.gandi.net'], servers: overTls('mail.gandi.net') },
  {
    name: 'Infomaniak',
    domains: ['ik.me'],
    exchanges: ['infomaniak.ch'],
    servers: overTls('mail.infomaniak.com'),
    hint: 'Infomaniak needs a device password here. Create one in the settings of the mail service.',
  },
  {
    name: 'mailbox.org',
    domains: ['mailbox.org'],
    exchanges: ['mailbox.org'],
    servers: overTls('smtp.mailbox.org', 'imap.mailbox.org'),
  },
  { name: 'Posteo', domains: ['posteo.de', 'posteo.net'], exchanges: ['posteo.de'], servers: overTls('posteo.de') },
  {
    name: 'Yandex',
    domains: ['yandex.com', 'yandex.ru', 'ya.ru'],
    exchanges: ['mx.yandex.net', 'mx.yandex.ru'],
    servers: overTls('smtp.yandex.com', 'imap.yandex.com'),
    hint: appPassword('Yandex'),
  },
  {
    name: 'Mail.ru',
    domains: ['mail.ru', 'inbox.ru', 'list.ru', 'bk.ru'],
    exchanges: ['mail.ru'],
    servers: overTls('smtp.mail.ru', 'imap.mail.ru'),
    hint: appPassword('Mail.ru'),
  },
  { name: 'Rackspace', domains: [], exchanges: ['emailsrvr.com'], servers: overTls('secure.emailsrvr.com') },
  { name: 'Private Email', domains: [], exchanges: ['privateemail.com'], servers: overTls('mail.privateemail.com') },
  {
    name: 'GoDaddy',
    domains: [],
    exchanges: ['secureserver.net'],
    servers: overTls('smtpout.secureserver.net', 'imap.secureserver.net'),
  },
  { name: 'Titan', domains: [], exchanges: ['titan.email'], servers: overTls('smtp.titan.email', 'imap.titan.email') },
  {
    name: 'Hostinger',
    domains: [],
    exchanges: ['hostinger.com'],
    servers: overTls('smtp.hostinger.com', 'imap.hostinger.com'),
  },
  {
    name: 'DreamHost',
    domains: [],
    exchanges: ['dreamhost.com'],
    servers: overTls('smtp.dreamhost.com', 'imap.dreamhost.com'),
  },
  { name: 'Migadu', domains: [], exchanges: ['migadu.com'], servers: overTls('smtp.migadu.com', 'imap.migadu.com') },
  {
    name: 'Purelymail',
    domains: [],
    exchanges: ['purelymail.com'],
    servers: overTls('smtp.purelymail.com', 'imap.purelymail.com'),
  },
  {
    name: 'Comcast',
    domains: ['comcast.net'],
    exchanges: ['comcast.net'],
    servers: overStartTls('smtp.comcast.net', 'imap.comcast.net'),
    hint: switchedOn('Xfinity'),
  },
  {
    name: 'Orange',
    domains: ['orange.fr', 'wanadoo.fr'],
    exchanges: ['orange.fr'],
    servers: overTls('smtp.orange.fr', 'imap.orange.fr'),
  },
  {
    name: 'Libero',
    domains: ['libero.it'],
    exchanges: ['libero.it'],
    servers: overTls('smtp.libero.it', 'imapmail.libero.it'),
  },
  {
    name: 'QQ',
    domains: ['qq.com', 'foxmail.com'],
    exchanges: ['mx.qq.com'],
    servers: overTls('smtp.qq.com', 'imap.qq.com'),
    hint: switchedOn('QQ Mail'),
  },
  {
    name: 'Seznam',
    domains: ['seznam.cz', 'email.cz'],
    exchanges: ['seznam.cz'],
    servers: overTls('smtp.seznam.cz', 'imap.seznam.cz'),
  },
]

/** The provider whose own addresses are at this domain. */
export function providerOfDomain(domain: string): KnownProvider | null {
  return knownProviders.find(({ domains }) => domains.includes(domain)) ?? null
}

/** The provider behind these mail exchanges. A mail filter in front of a mailbox says nothing about the provider. */
export function providerOfExchanges(exchanges: readonly string[]): KnownProvider | null {
  for (const exchange of exchanges) {
    const name = exchange.toLowerCase().replace(/\.$/, '')
    const provider = knownProviders.find((known) =>
      known.exchanges.some((suffix) => name === suffix || name.endsWith(`.${suffix}`)),
    )
    if (provider !== undefined) return provider
  }
  return null
}
