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

// Long tables need a virtual list, which is large. Home has none, so tables aren't in the files that every page loads.
const library = /[\\/]node_modules[\\/](?!@tanstack[\\/](?:react-virtual|virtual-core)[\\/])/
const ownModule = /[\\/]packages[\\/](?!console[\\/]src[\\/]platform[\\/]table[\\/])/

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
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Sets the language before modules with texts run, so it shares no chunk with them.
            { name: 'language', test: /[\\/]src[\\/]platform[\\/]text[\\/]/, priority: 3 },
            { name: 'libraries', test: library, minShareCount: 20, priority: 2 },
            { name: 'shared', test: ownModule, minShareCount: 30, priority: 1 },
            {
              name: 'shell',
              test: /[\\/]src[\\/](?:shell|sandbox|users)[\\/]/,
              minShareCount: 2,
              maxModuleSize: 4000,
              priority: 0,
            },
          ],
        },
      },
    },
  },
}

export default config
