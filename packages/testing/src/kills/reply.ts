/** A lead's reply to our own message, as a mail program writes it. */
export function replyTo(from: string, to: string, messageId: string): string {
  return [
    `From: Ada <${from}>`,
    `To: ${to}`,
    'Subject: Re: Hello',
    `Message-ID: <answer-${messageId.replace(/[<>]/g, '')}>`,
    `In-Reply-To: ${messageId}`,
    `References: ${messageId}`,
    'Date: Sat, 21 Nov 2026 10:00:00 +0000',
    '',
    'Yes, gladly. When?',
    '',
  ].join('\r\n')
}
