import { words } from '../platform/text/words.ts'

export const text = words('connect', {
  title: 'Connect an assistant',
  lead: (account: string) => `An assistant asks for access to “${account}”.`,
  leadUnknown: 'An assistant asks for access to your account.',
  signIn: 'Sign in to see which assistant asks for access.',
  client: 'Assistant',
  namedBy: 'The name comes from the assistant. Check the host.',
  host: 'Host',
  answersTo: 'Sends you back to',
  account: 'Account',
  user: 'Signed in as',
  environment: 'Environment',
  environments: { test: 'Test: simulated mail only', live: 'Live: real leads and real mail' },
  canDo: 'What it can do',
  scope: {
    read: 'Read campaigns, leads and replies',
    write: 'Create and change campaigns and leads',
    send: 'Start sending, after you confirm each start',
  },
  always: 'It can always read. It can never do more than you can.',
  later: 'You can revoke access at any time in Settings.',
  allowed: 'The assistant opens now. You can close this page.',
  denied: 'Access was denied. You can close this page.',
  notConnected: 'The assistant could not be connected.',
  problems: {
    over: 'The request for access is over. Requests end after ten minutes, and each can be answered once. Start again in the assistant.',
    unknown:
      'The assistant is not known here, or its description could not be read. Start again in the assistant in a minute.',
    redirect: 'The assistant asked for the answer at an address that it has not registered. Report this to its maker.',
    invalid: 'The request of the assistant is not valid. Start again, or report this to its maker.',
  },
  allow: 'Allow',
  deny: 'Deny',
})
