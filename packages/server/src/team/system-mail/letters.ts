interface LetterFacts {
  /** Of the link; any but `password` invites. */
  kind: string
  url: string
  /** Where the server is: people look at it before they click. */
  publicUrl: string
}

/** What is written to somebody to whom a link is mailed. */
export function letterOf({ kind, url, publicUrl }: LetterFacts): { subject: string; text: string } {
  const { host } = new URL(publicUrl)
  if (kind === 'password')
    return {
      subject: 'Your new password',
      text: lines(
        `Somebody, probably you, asked for a new password at ${host}. Choose one here within a day:`,
        url,
        'If it was not you, there is nothing to do: your password stays as it is.',
      ),
    }
  return {
    subject: `You were invited to ${host}`,
    text: lines(
      `Somebody invited you to work with them at ${host}. Choose a name and a password here within a week:`,
      url,
      'If you do not know what this is about, there is nothing to do.',
    ),
  }
}

function lines(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`
}
