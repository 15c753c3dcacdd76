// Sets theme, density and language before the first paint, so that nothing flashes.
{
  const kept = (name) => {
    try {
      return localStorage.getItem(`overture.${name}`)
    } catch {
      return null
    }
  }
  const root = document.documentElement
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    const theme = kept('theme') ?? 'system'
    root.dataset.theme = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
    root.dataset.density = kept('density') ?? 'comfortable'
  }
  root.lang = kept('locale') ?? 'en'
  apply()
  dark.addEventListener('change', apply)
  addEventListener('overture:theme', apply)
}
