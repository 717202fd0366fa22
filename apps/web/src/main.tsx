import './kit/tokens.css'
import './kit/kit.css'
import './app/app.css'
import { createRoot } from 'react-dom/client'
import { Root } from '#app/root.tsx'
import { loadSettings } from '#kit/me.ts'
import { shareSession } from '#kit/session.ts'

shareSession()
void loadSettings(new URLSearchParams(location.search).get('org') ?? undefined)

const root = document.getElementById('root')
if (root) createRoot(root).render(<Root />)
