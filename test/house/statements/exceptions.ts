import type { Rule } from './rules.ts'

interface Exceptions {
  why: string
  /** Statements by rule, as `file: function`, with paths relative to the server's sources. */
  statements: Partial<Record<Rule, readonly string[]>>
}

/** The present number of exceptions, so that it can only fall. Lower it when you remove one. */
export const exceptionsMax = 8

/** Statements that break a rule for distributed databases, with the reason why they are correct on one server. */
export const exceptions: readonly Exceptions[] = [
  {
    why: 'Found by what a stranger says before it is known whose it is, then counted under a lock: each statement in it names the account.',
    statements: {
      function: [
        'api-keys/api-keys.sql.ts: admitRequestAcrossAccounts',
        'team/sessions.sql.ts: admitSessionAcrossAccounts',
      ],
    },
  },
  {
    why: 'The tables are told by name, which no statement can be given as a parameter.',
    statements: {
      function: [
        'composition/account-end.sql.ts: deleteRowsOfAccount',
        'people/mentions.sql.ts: updateMentions',
        'platform/events/months.sql.ts: createMonthsAcrossAccounts',
      ],
    },
  },
  {
    why: 'Runs before a process serves, over the events of all accounts, one statement after the other on the coordinator.',
    statements: { function: ['platform/events/restored.sql.ts: adoptRestoredEvents'] },
  },
  {
    why: 'Changes what a part of it has read and locked: the change is made of what that part found, and can only come after it.',
    statements: {
      snapshot: ['campaigns/paths/decisions.sql.ts: insertDecisions'],
    },
  },
  {
    why: 'On one server a request keeps its session behind the wall; where there are several, each transaction sets it.',
    statements: { session: ['platform/db/account-wall.sql.ts: enterWall'] },
  },
]

/** Unique keys that don't begin with the account, with the lookup that needs them before the account is known. */
export const keysOfDirectories: Readonly<Record<string, string>> = {
  'api_keys (digest)': 'A request names its key and no account.',
  'assistant_grants (id)': 'A token names its grant and no account.',
  'billing_customers (subscription_id)': 'The payment provider names a subscription and no account.',
  'meeting_availability (slug)': 'A booking link names a slug and no account.',
  'sessions (digest)': 'A browser names its session and no account.',
  'user_links (digest)': 'A link in a mail names its secret and no account.',
  'users (oidc_issuer)': 'An identity provider says who it is and no account.',
}
