import type { ProtectionNotice } from '../../platform/http/route.ts'

interface LetterFacts {
  /** The kind of the link. Every kind except `password` is an invitation. */
  kind: string
  url: string
  /** The address of the server, which people check before they click. */
  publicUrl: string
}

/** The letter that a link is mailed with. */
export function writeLetter({ kind, url, publicUrl }: LetterFacts): { subject: string; text: string } {
  const { host } = new URL(publicUrl)
  if (kind === 'password')
    return {
      subject: 'Reset your password',
      text: lines(
        `We received a request to reset your password at ${host}. Use this link within a day:`,
        url,
        'If you did not request this, ignore this email. Your password stays the same.',
      ),
    }
  return {
    subject: `You were invited to ${host}`,
    text: lines(
      `Someone invited you to join their account at ${host}. Use this link within a week to choose a name and a password:`,
      url,
      'If you did not expect this invitation, ignore this email.',
    ),
  }
}

const noticeTexts: Readonly<Record<ProtectionNotice, string>> = {
  authenticator_on: 'An authenticator was set up for your sign-in.',
  authenticator_off: 'The authenticator was removed from your sign-in.',
  password_changed: 'Your password was changed.',
  role_changed: 'Your role was changed.',
  live_admin_key_created: 'A live API key with the scope admin was created in your name.',
  live_write_key_created: 'A live API key with the scope write was created in your name.',
  mailbox_password_changed: 'The password of a mailbox was changed in your name.',
  organization_mailboxes_connected: 'Mailboxes of an organization were connected in your name.',
}

/** The letter about a change of a user's protection, so that they notice a change by someone else. */
export function noticeLetter({ notice, at, publicUrl }: { notice: ProtectionNotice; at: string; publicUrl: string }): {
  subject: string
  text: string
} {
  const { host } = new URL(publicUrl)
  return {
    subject: `Security notice from ${host}`,
    text: lines(
      `${noticeTexts[notice]} This happened on ${at} (UTC) at ${host}.`,
      'If this was you, ignore this email. Otherwise change your password, end your sessions, and contact an owner of the account.',
    ),
  }
}

function lines(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`
}
