/** A browser's handling of cookies and redirects, without rendering. */
export interface Browser {
  /** Sends one request with the cookies of its host. */
  get(url: string): Promise<Hop>
  /** Follows redirects to the end, or to the first address for which `until` returns true. That address is not requested. */
  follow(url: string, until?: (url: URL) => boolean): Promise<Hop[]>
  cookies: Map<string, string>
}

export interface Hop {
  url: string
  status: number
  /** The absolute URL of the redirect, or null if there is none. */
  location: string | null
}

const hopsMax = 20

export function createBrowser(cookies: Map<string, string> = new Map()): Browser {
  const get = async (url: string): Promise<Hop> => {
    const { host } = new URL(url)
    const own = [...cookies].filter(([name]) => name.startsWith(`${host} `))
    const cookie = own.map(([name, value]) => `${name.slice(host.length + 1)}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } })
    await response.arrayBuffer()
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(`${host} ${name}`)
      else cookies.set(`${host} ${name}`, value)
    }
    const to = response.headers.get('location')
    return { url, status: response.status, location: to === null ? null : new URL(to, url).href }
  }
  return {
    cookies,
    get,
    async follow(url, until = () => false) {
      const hops: Hop[] = []
      for (let next: string | null = url; next !== null && hops.length < hopsMax; next = hops.at(-1)!.location) {
        if (until(new URL(next))) break
        hops.push(await get(next))
      }
      return hops
    },
  }
}
