/** The page of `/u/:token`. Opening it changes nothing, because scanners follow links. Source: RFC 8058, docs/delivery.md. */
export function optOutPage(state: keyof typeof words): string {
  const { title, text, form } = words[state]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
body { font: 17px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 15vh auto; padding: 0 1.5rem; color: #1a1a1a; }
button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .4rem; background: #1a1a1a; color: #fff; cursor: pointer; }
</style>
</head>
<body>
<h1>${title}</h1>
<p>${text}</p>
${form ? '<form method="post"><input type="hidden" name="confirm" value="yes"><button type="submit">Unsubscribe</button></form>' : ''}
</body>
</html>
`
}

const words = {
  ask: { title: 'Unsubscribe', text: 'You will not get any more emails from this sender.', form: true },
  done: {
    title: 'You are unsubscribed',
    text: 'You will not get any more emails from this sender. You can close this page.',
    form: false,
  },
  gone: {
    title: 'This account was closed',
    text: 'The sender closed the account, and all data about you was deleted. It sends you no more emails.',
    form: false,
  },
  failed: {
    title: 'You are not unsubscribed yet',
    text: 'Your request could not be saved. Please try again in a minute, or reply to the message with the word “unsubscribe”.',
    form: true,
  },
  unknown: {
    title: 'This link does not work',
    text: 'The link is incomplete or not valid. Please use the whole link from the message.',
    form: false,
  },
} as const
