import { escapeHtml } from '@overture/ground/text/text-html.ts'

/**
 * The page of `/u/:token`. Opening it changes nothing, because scanners follow links. `email` is the address of the link, which
 * the page shows in part: another recipient of the message may have opened the link. Source: RFC 8058, docs/delivery.md.
 */
export function optOutPage(state: keyof typeof words, email: string | null = null): string {
  const { title, text, form, typed } = words[state]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
body { font: 17px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 15vh auto; padding: 0 1.5rem; color: #1a1a1a; }
h2 { font-size: 1rem; margin-top: 3rem; }
input[type=email] { font: inherit; padding: .5rem; width: 100%; box-sizing: border-box; border: 1px solid #767676; border-radius: .4rem; }
button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .4rem; background: #1a1a1a; color: #fff; cursor: pointer; }
</style>
</head>
<body>
<h1>${title}</h1>
${email === null ? '' : `<p><strong>${escapeHtml(maskedAddress(email))}</strong></p>`}
<p>${text}</p>
${form ? '<form method="post"><input type="hidden" name="confirm" value="yes"><button type="submit">Unsubscribe</button></form>' : ''}
${typed ? otherAddress : ''}
</body>
</html>
`
}

const otherAddress = `<h2>Another address?</h2>
<form method="post">
<p><label for="address">If this is not your address, enter the one that got the message.</label></p>
<p><input type="email" id="address" name="address" autocomplete="email" maxlength="254" required></p>
<button type="submit">Unsubscribe this address</button>
</form>`

/** The first letter and the domain of an address. */
function maskedAddress(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = email
  return `${at > 1 ? first : ''}…${email.slice(at)}`
}

const words = {
  ask: {
    title: 'Unsubscribe',
    text: 'This address will not get any more emails from this sender.',
    form: true,
    typed: true,
  },
  other: {
    title: 'The address is unsubscribed',
    text: 'It will not get any more emails from this sender. You can close this page.',
    form: false,
    typed: false,
  },
  invalid: { title: 'This is not an email address', text: 'Please enter the whole address.', form: false, typed: true },
  too_many: {
    title: 'Too many addresses',
    text: 'This link can unsubscribe no further address. Please reply to the message with the word “unsubscribe”.',
    form: false,
    typed: false,
  },
  done: {
    title: 'You are unsubscribed',
    text: 'This address will not get any more emails from this sender. You can close this page.',
    form: false,
    typed: true,
  },
  gone: {
    title: 'This account was closed',
    text: 'The sender closed the account, and all data about you was deleted. It sends you no more emails.',
    form: false,
    typed: false,
  },
  failed: {
    title: 'You are not unsubscribed yet',
    text: 'Your request could not be saved. Please try again in a minute, or reply to the message with the word “unsubscribe”.',
    form: true,
    typed: false,
  },
  unknown: {
    title: 'This link does not work',
    text: 'The link is incomplete or not valid. Please use the whole link from the message.',
    form: false,
    typed: false,
  },
} as const
