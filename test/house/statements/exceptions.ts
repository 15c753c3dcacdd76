import type { Rule } from './rules.ts'

interface Exceptions {
  why: string
  /** By rule: `file: function`, the file from the server's sources. */
  statements: Partial<Record<Rule, readonly string[]>>
}

/** As many as there are, so that there are never more: who mends one lowers this. */
export const exceptionsMax = 15

/** Statements that break a rule of a database of several servers, and why that is right on one. */
export const exceptions: readonly Exceptions[] = [
  {
    why: 'Counted under a lock in one round trip, or found by what a stranger says before it is known whose it is.',
    statements: {
      function: [
        'api-keys/api-keys.sql.ts: admitRequestAcrossAccounts',
        'api-keys/api-keys.sql.ts: reserveRequests',
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
        'platform/events/restored.sql.ts: adoptRestoredEvents',
      ],
    },
  },
  {
    why: 'Reads the rows as they were before the statement, on purpose: on one server a statement is one snapshot.',
    statements: {
      snapshot: [
        'campaigns/paths/decisions.sql.ts: insertDecisions',
        'delivery/memory/memory.sql.ts: insertDepartures',
        'sandbox/clock.sql.ts: claimAbandonedRun',
        'sandbox/clock.sql.ts: insertRun',
        'sandbox/clock.sql.ts: moveClock',
        'sandbox/mailbox.sql.ts: insertDelivered',
      ],
      'changeable in case': ['sandbox/clock.sql.ts: insertRun'],
    },
  },
  {
    why: 'A request keeps a session of its own behind the wall: setting it again for each transaction is a round trip more.',
    statements: { session: ['platform/db/account-wall.sql.ts: enterWall'] },
  },
]

/** Unique keys that don't begin with the account, and what is found by them before it is known whose it is. */
export const keysOfDirectories: Readonly<Record<string, string>> = {
  'api_keys (digest)': 'A request says its key and no account.',
  'billing_customers (subscription_id)': 'The payment provider says a subscription and no account.',
  'meeting_availability (slug)': 'A booking link says a slug and no account.',
  'sessions (digest)': 'A browser says its session and no account.',
  'user_links (digest)': 'A link of a mail says its secret and no account.',
  'users (oidc_issuer)': 'An identity provider says who it is and no account.',
}
