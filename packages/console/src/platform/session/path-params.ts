import { useParams } from '@tanstack/react-router'

type ParamName<Path extends string> = Path extends `${string}$${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParamName<Tail>
    : Rest
  : never

/**
 * The parameters of the current page, typed by the page's path, for example `/people/$id`. A parameter that the current
 * URL lacks is empty. The router can't know these types, because the pages are a table (`pages.ts`).
 */
export function usePathParams<Path extends string>(path: Path): Record<ParamName<Path>, string> {
  const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false })
  const names = Array.from(path.matchAll(/\$(\w+)/g), ([, name = '']) => name)
  return Object.fromEntries(names.map((name) => [name, params[name] ?? ''])) as Record<ParamName<Path>, string>
}
