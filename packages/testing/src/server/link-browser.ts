interface Page {
  status: number
  text: string
  /** The address of the redirect, or an empty string if there is none. */
  location: string
}

let made = 0

/**
 * Opens links that a user received, with the cookies of one browser. `Strict` cookies are sent only if the link is opened from our
 * own page, which is the default of `from`. Requests go to the listening address of the test server, which differs from its public
 * URL. Each browser has its own client address, since pages have a rate limit per address.
 */
export function createLinkBrowser(serverUrl: string) {
  const forwarded = `198.18.${Math.trunc(++made / 250)}.${made % 250}`
  const cookies = new Map<string, { value: string; isStrict: boolean }>()
  return {
    cookies,
    async open(url: string, from: 'own' | 'elsewhere' = 'own'): Promise<Page> {
      const { pathname, search } = new URL(url)
      const sent = [...cookies].filter(([, { isStrict }]) => from === 'own' || !isStrict)
      const cookie = sent.map(([name, { value }]) => `${name}=${value}`).join('; ')
      const answer = await fetch(`${serverUrl}${pathname}${search}`, {
        headers: { cookie, 'x-forwarded-for': forwarded },
        redirect: 'manual',
      })
      for (const header of answer.headers.getSetCookie()) {
        const [pair = ''] = header.split(';')
        const at = pair.indexOf('=')
        cookies.set(pair.slice(0, at), { value: pair.slice(at + 1), isStrict: header.includes('SameSite=Strict') })
      }
      return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') ?? '' }
    },
  }
}

/** The only link of a page. */
export function linkIn(page: string): string {
  const href = /href="([^"]+)"/.exec(page)?.[1] ?? ''
  return unescaped(href)
}

/** The text of a page without HTML escapes. */
export function unescaped(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))).replaceAll('&amp;', '&')
}
