interface Page {
  status: number
  text: string
  /** Where it leads on to; empty where it leads nowhere. */
  location: string
}

let made = 0

/**
 * Follows links that were given to somebody, with the cookies of one browser: those that are `Strict` where our own page is
 * what leads on, which is wherever `from` is left out. The public URL of a test server is not its listening address.
 * Each browser is at an address of its own, for pages are bounded per address.
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

/** The one link of a page. */
export function linkIn(page: string): string {
  const href = /href="([^"]+)"/.exec(page)?.[1] ?? ''
  return unescaped(href)
}

/** Words of a page as somebody reads them. */
export function unescaped(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))).replaceAll('&amp;', '&')
}
