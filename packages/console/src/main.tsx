import './tokens.css'
import { useLanguage } from './platform/text/words.ts'

// The language is set before any module with texts is loaded.
useLanguage(document.documentElement.lang)
const { mount } = await import('./app.tsx')
mount(document.querySelector('#root')!)
