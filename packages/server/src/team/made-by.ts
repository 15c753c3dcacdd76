/** How a user can lose a right. */
export type LostRight = 'removed' | 'disabled' | 'demoted'

/**
 * `ends`: stops working in the transaction that takes the right. `bounded`: works on, and may do what the role allows at each
 * request. `stays`: belongs to the account. `listed`: stays, and the response of the removal shows it.
 */
type Fate = 'ends' | 'bounded' | 'stays' | 'listed'

/**
 * Everything that a user can leave behind, and what happens to it. Whoever adds a thing that acts for its creator adds a row;
 * `test/made-by.test.ts` fills each row, takes the right away and looks.
 */
export const madeBy = {
  sessions: { removed: 'ends', disabled: 'ends', demoted: 'ends' },
  apiKeys: { removed: 'ends', disabled: 'ends', demoted: 'bounded' },
  /** Keys that a key of the user made. */
  childKeys: { removed: 'ends', disabled: 'ends', demoted: 'bounded' },
  /** An open stream ends with its session or key. */
  sessionStreams: { removed: 'ends', disabled: 'ends', demoted: 'ends' },
  keyStreams: { removed: 'ends', disabled: 'ends', demoted: 'bounded' },
  invitations: { removed: 'ends', disabled: 'ends', demoted: 'ends' },
  /** Begun by a session, in the browser of the user. */
  sessionOAuthLinks: { removed: 'ends', disabled: 'ends', demoted: 'ends' },
  /** Begun by a key, for the owner of a mailbox. */
  keyOAuthLinks: { removed: 'ends', disabled: 'ends', demoted: 'ends' },
  /** A link to a new password of the user. */
  passwordLinks: { removed: 'ends', disabled: 'ends', demoted: 'stays' },
  webhooks: { removed: 'listed', disabled: 'listed', demoted: 'listed' },
} as const satisfies Record<string, Record<LostRight, Fate>>
