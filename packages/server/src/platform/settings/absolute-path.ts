/** The path itself if it is absolute, else the path within the folder. Without a slash at the end. */
export function absolutePath(path: string, folder: string): string {
  const joined =
    path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) ? path : `${folder}/${path.replace(/^(\.\/)+/, '')}`
  return joined.length > 1 ? joined.replace(/\/+$/, '') : joined
}
