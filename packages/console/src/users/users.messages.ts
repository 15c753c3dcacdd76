import { words } from '../platform/text/words.ts'

export const text = words('users', {
  signIn: 'Sign in',
  signInLead: 'Welcome back.',
  againTitle: 'Sign in again',
  againLead: 'Your session has ended. Nothing on the page is lost.',
  email: 'Email',
  password: 'Password',
  newPassword: 'New password',
  currentPassword: 'Current password',
  name: 'Name',
  code: 'Code',
  codeHint: 'Enter a code from your authenticator app or a recovery code.',
  setup: 'Create your account',
  setupLead: 'You are the first user and become the owner of this installation.',
  invited: 'You were invited',
  invitedTo: (account: string) => `Join ${account}`,
  invitedLead: 'Choose a name and a password to join.',
  invitedBy: (inviter: string, account: string, role: string) =>
    `${inviter} invited you to ${account} with the role ${role}.`,
  invitedAs: (account: string, role: string) => `You were invited to ${account} with the role ${role}.`,
  noAccountName: 'Overture',
  linkGone:
    'This invitation is unknown, was already used or has expired. Ask the person who invited you for a new one.',
  passwordHint: 'At least 12 characters. A few words in a row are easy to remember.',
  createAccount: 'Create account',
  noToken: 'Open this page with the link that the server prints when it starts.',
  noInvitation: 'Open this page with the link of your invitation.',
  restart: 'Restart the server to print a new link, or sign in if you have an account.',
  forgot: 'Forgot password?',
  forgotTitle: 'Reset your password',
  forgotLead: 'We email you a link if a user with this address has a password.',
  forgotByHand: 'This server can’t send you a link, because it has no mail server for such messages.',
  operatorText:
    'Ask the person who runs this server for a link to a new password. They make it on the server in a minute.',
  copyInstruction: 'Copy the instruction',
  operatorInstruction: (origin: string) =>
    `I forgot my password for Overture at ${origin}. Please send me a link to a new one:\n` +
    `1. Find my user id: overture users list\n` +
    `2. Make the link: overture users reset-password <user id>\n` +
    `It works once and for a day. With OVERTURE_SYSTEM_MAIL_URL set, the sign-in page sends such links itself.\n`,
  askForLink: 'Send reset link',
  linkAsked: 'If a user with this address has a password, we sent a link. It expires in a day.',
  resetTitle: 'Choose a new password',
  resetLead: 'This signs you out everywhere else.',
  needsResetLink: 'Open this page with your reset link.',
  savePassword: 'Save password',
  withCompany: 'Sign in with single sign-on',
  refused: {
    expired: 'This sign-in expired or started in another browser. Sign in again.',
    denied: 'Your organization refused the sign-in. Ask its administrator.',
    unreachable: 'The sign-in server of your organization does not respond. Try again in a minute.',
    invalid:
      'The response of your organization is not valid. Sign in again. If it fails again, contact the server operator.',
    email_unverified: 'Your organization has not verified your email address. Ask its administrator.',
    not_invited: 'Your email address has no invitation. Ask an admin of the account.',
    other_identity: 'Your email address belongs to a user with another sign-in identity. Ask an admin of the account.',
    disabled: 'This user is disabled. Ask an admin of the account.',
    no_role: 'None of your groups has a role here. Ask your administrator.',
    no_account: 'The account for single sign-on does not exist. Contact the server operator.',
  },
  signOut: 'Sign out',
  checking: 'Checking your session',
})
