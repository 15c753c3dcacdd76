import type { Plugin, UserConfig } from 'vite'

const styleElement = 'if (!root.head && root.adoptedStyleSheets && win.CSSStyleSheet)'

/**
 * The editor writes a `<style>` into documents, which the content security policy forbids. It allows adopted style sheets. The build fails
 * if the line is no longer there, so that an update can't bring the element back.
 */
const adoptSheets: Plugin = {
  name: 'adopt-style-sheets',
  transform(code, id) {
    if (!/style-mod[\\/]src[\\/]style-mod\.js/.test(id)) return null
    if (!code.includes(styleElement)) throw new Error('style-mod has changed: look how it writes its styles now.')
    return code.replace(styleElement, styleElement.replace('!root.head && ', ''))
  },
}

const config: UserConfig = {
  base: '/app/',
  root: import.meta.dirname,
  logLevel: 'error',
  plugins: [adoptSheets],
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
}

export default config
