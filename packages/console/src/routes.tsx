import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type AnyRoute,
} from '@tanstack/react-router'
import { kept } from './platform/session/preferences.ts'
import { Broken, NotFound } from './shell/stray.tsx'
import { Shell } from './shell/shell.panel.tsx'

const root = createRootRoute({ component: () => <Outlet />, notFoundComponent: NotFound })
const at = (parent: AnyRoute, path: string, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => parent, path, component } as never) as AnyRoute
const to = (parent: AnyRoute, path: string, target: string) =>
  createRoute({
    getParentRoute: () => parent,
    path,
    beforeLoad: ({ params }: { params: Record<string, string> }) => {
      throw redirect({ href: target.replace(/\$(\w+)/g, (_whole, name: string) => params[name] ?? ''), replace: true })
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

const outside = [
  at(
    root,
    '/app/setup',
    lazyRouteComponent(() => import('./users/setup.page.tsx'), 'SetupPage'),
  ),
  at(
    root,
    '/app/accept',
    lazyRouteComponent(() => import('./users/setup.page.tsx'), 'SetupPage'),
  ),
  at(
    root,
    '/app/sign-in',
    lazyRouteComponent(() => import('./users/sign-in.page.tsx'), 'SignInPage'),
  ),
]

const below = '/app/$environment'
const inside = [
  at(
    environment,
    '/',
    lazyRouteComponent(() => import('./home/home.page.tsx'), 'HomePage'),
  ),
  at(
    environment,
    '/campaigns',
    lazyRouteComponent(() => import('./campaigns/campaigns.page.tsx'), 'CampaignsPage'),
  ),
  to(environment, '/campaigns/$id', `${below}/campaigns/$id/overview`),
  at(
    environment,
    '/campaigns/$id/overview',
    lazyRouteComponent(() => import('./campaigns/overview.page.tsx'), 'OverviewPage'),
  ),
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
