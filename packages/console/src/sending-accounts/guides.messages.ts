import { words } from '../platform/text/words.ts'

export const text = words('connectGuides', {
  title: (name: string) => `Connect ${name}`,
  or: { google: 'Or connect with an app password:', microsoft: 'Or connect with the password of the mailbox:' },
  inTest:
    'This is the test environment: nothing real is connected. No mail server or provider is contacted, and every check passes.',
  notSetUp: (name: string) => `“Continue with ${name}” is not set up on this server.`,
  whoSetsUp: (settings: string) => `The person who runs this server can add it with the settings ${settings}.`,
  copyInstruction: 'Copy the instruction',
  and: ' and ',
  instruction: (name: string, console: string, callback: string, settings: string) =>
    `Please set up “Continue with ${name}” on our Overture server ${new URL(callback).origin}.\n` +
    `1. Create an OAuth client for a web application at ${console}\n` +
    `2. Enter this redirect address there: ${callback}\n` +
    `3. Set ${settings} on the server and restart it.\n`,
  pasteIt: 'Paste it below as the password and choose Connect.',
  names: {
    google: 'Google',
    microsoft: 'Microsoft',
    yahoo: 'Yahoo',
    aol: 'AOL',
    icloud: 'iCloud',
    fastmail: 'Fastmail',
    zoho: 'Zoho Mail',
    gmx: 'GMX',
    webde: 'WEB.DE',
    yandex: 'Yandex',
    mailru: 'Mail.ru',
  },
  steps: {
    google: [
      'Turn on two-step verification in your Google account. Without it there are no app passwords.',
      'Open app passwords, enter the name Overture and choose Create.',
      'Copy the 16 letters. Google shows them only once.',
    ],
    microsoft: [
      'Ask an administrator of your organization to turn on “Authenticated SMTP” for your mailbox: Users, your name, Mail, ' +
        'Manage email apps.',
      'Enter the password of the mailbox below. Microsoft is ending passwords for programs, so use “Continue with Microsoft” ' +
        'where you can.',
    ],
    yahoo: [
      'Open the security page of your Yahoo account.',
      'Create an app password with the name Overture and copy it.',
    ],
    aol: ['Open the security page of your AOL account.', 'Create an app password with the name Overture and copy it.'],
    icloud: [
      'Open your Apple account and choose Sign-In and Security, then App-Specific Passwords.',
      'Create a password with the name Overture and copy it.',
    ],
    fastmail: [
      'Open Privacy and Security in the settings of Fastmail and choose Manage app passwords.',
      'Create an app password for Mail and copy it.',
    ],
    zoho: [
      'Turn on IMAP access in the settings of Zoho Mail, under Mail Accounts.',
      'If your account has two-step verification, open the security page of your Zoho account and create an app password.',
    ],
    gmx: [
      'Turn on POP3 and IMAP in the settings of GMX.',
      'If your account has two-step verification, create a password for programs under My Account, Security.',
    ],
    webde: [
      'Turn on POP3 and IMAP in the settings of WEB.DE.',
      'If your account has two-step verification, create a password for programs under My Account, Security.',
    ],
    yandex: [
      'Turn on mail programs in the settings of Yandex Mail.',
      'Open app passwords, create one for Mail and copy it.',
    ],
    mailru: ['Open passwords for external apps in your Mail.ru account.', 'Create one for mail and copy it.'],
  },
  links: {
    twoStep: 'Two-step verification',
    appPasswords: 'App passwords',
    admin: 'Microsoft 365 admin center',
    security: 'Account security',
    apple: 'Apple account',
    fastmail: 'Fastmail security',
    zohoMail: 'Zoho Mail settings',
    gmx: 'How GMX shows it',
    webde: 'How WEB.DE shows it',
    yandexMail: 'Yandex Mail settings',
  },
})
