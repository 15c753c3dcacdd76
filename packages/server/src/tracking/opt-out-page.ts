import type { PageLanguage } from '@overture/ground/text/page-language.ts'
import { escapeHtml } from '@overture/ground/text/text-html.ts'
import { optOutWords } from './opt-out-words.ts'
import type { OptOutState } from './words/words.ts'

interface OptOutPage {
  state: OptOutState
  language: PageLanguage
  /** The address of the link. The page shows it in part, because another recipient of the message may have opened the link. */
  email: string | null
  /** The name of the sender; null if it is not known. */
  sender: string | null
}

const hasConfirm: ReadonlySet<OptOutState> = new Set(['ask', 'failed'])
const hasAnother: ReadonlySet<OptOutState> = new Set(['ask', 'invalid', 'done'])

/** The page of `/u/:token`. Opening it changes nothing, because scanners follow links. Source: RFC 8058, docs/delivery.md. */
export function optOutPage({ state, language, email, sender }: OptOutPage): string {
  const words = optOutWords[language]
  const from = sender === null ? words.fromUnknown : words.from.replace('{name}', () => sender)
  const address = email === null ? '' : maskedAddress(email)
  const fill = (text: string) =>
    escapeHtml(text)
      .replaceAll('{from}', () => `<bdi>${escapeHtml(from)}</bdi>`)
      .replaceAll('{address}', () => `<strong><bdi>${escapeHtml(address)}</bdi></strong>`)
  const [title, text] = words.states[state]
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title.replace('{from}', () => from))}</title>
<style>
body { font: 17px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 15vh auto; padding: 0 1.5rem; color: #1a1a1a; background: #fff; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1rem; margin-top: 3rem; }
h1, p { overflow-wrap: anywhere; }
input[type=email] { font: inherit; padding: .5rem; width: 100%; box-sizing: border-box; border: 1px solid #767676; border-radius: .4rem; }
button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .4rem; background: #1a1a1a; color: #fff; cursor: pointer; }
@media (max-width: 30rem) { body { margin-top: 2rem; } }
</style>
</head>
<body>
<main>
<h1>${fill(title)}</h1>
<p>${fill(text)}</p>
${hasConfirm.has(state) ? confirmForm(words.confirm) : ''}
${hasAnother.has(state) ? anotherAddress(words.another) : ''}
</main>
</body>
</html>
`
}

function confirmForm(button: string): string {
  return `<form method="post"><input type="hidden" name="confirm" value="yes">
<button type="submit">${escapeHtml(button)}</button></form>`
}

function anotherAddress({ title, text, button }: { title: string; text: string; button: string }): string {
  return `<h2>${escapeHtml(title)}</h2>
<form method="post">
<p><label for="address">${escapeHtml(text)}</label></p>
<p><input type="email" id="address" name="address" autocomplete="email" maxlength="254" required></p>
<button type="submit">${escapeHtml(button)}</button>
</form>`
}

/** The first letter and the domain of an address. */
function maskedAddress(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = email
  return `${at > 1 ? first : ''}…${email.slice(at)}`
}
