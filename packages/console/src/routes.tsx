import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type AnyRoute,
} from '@tanstack/react-router'
import { pages } from './pages.ts'
import { kept } from './platform/session/preferences.ts'
import { Shell } from './shell/shell.panel.tsx'
import { Broken, NotFound } from './shell/stray.tsx'

type PageModule = () => Promise<Record<string, unknown>>

const root = createRootRoute({ component: () => <Outlet />, notFoundComponent: NotFound })
const at = (parent: AnyRoute, path: string, [read, name]: readonly [PageModule, string]) =>
  createRoute({
    getParentRoute: () => parent,
    path,
    component: lazyRouteComponent(read as never, name as never),
  } as never) as AnyRoute

/** A path that is not a page redirects to the first page below it. */
const to = (parent: AnyRoute, path: string, below: string) =>
  createRoute({
    getParentRoute: () => parent,
    path,
    beforeLoad: ({ location }: { location: { pathname: string } }) => {
      throw redirect({ href: `${location.pathname.replace(/\/$/, '')}/${below}`, replace: true })
    },
  } as never) as AnyRoute

const start = createRoute({
  getParentRoute: () => root,
  path: '/app',
  beforeLoad: () => {
    throw redirect({ href: `/app/${kept('environment') === 'live' ? 'live' : 'test'}`, replace: true })
  },
})
const environment = createRoute({
  getParentRoute: () => root,
  path: '/app/$environment',
  component: Shell,
  beforeLoad: ({ params }) => {
    if (params.environment !== 'test' && params.environment !== 'live') throw redirect({ href: '/app/', replace: true })
  },
})

const outside = Object.entries(pages.outside).map(([path, page]) => at(root, `/app/${path}`, page))
const inside = [
  ...Object.entries(pages.inside).map(([path, page]) => at(environment, path, page)),
  ...Object.entries(pages.leading).map(([path, below]) => to(environment, path, below)),
]
const tree: unknown = root.addChildren([start, ...outside, environment.addChildren(inside)] as never)

export function createConsoleRouter() {
  return createRouter({
    routeTree: tree as AnyRoute,
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const query = new URLSearchParams(search as Record<string, string>).toString()
      return query === '' ? '' : `?${query}`
    },
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: Broken,
    defaultPreload: 'intent',
  })
}
