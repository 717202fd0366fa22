import './app/first.ts'
import 'antd/dist/antd.css'
import './kit/tokens.css'
import './kit/kit.css'
import './app/app.css'
import './kit/print.css'
import { createRoot } from 'react-dom/client'
import { fetchAhead } from '#app/fetch-ahead.ts'
import { Root } from '#app/root.tsx'
import { keepListsOnTab } from '#kit/list-keys.ts'
import { loadSettings } from '#kit/me.ts'
import { hasLiveSession, shareSession } from '#kit/session.ts'

shareSession()
keepListsOnTab()
void loadSettings(new URLSearchParams(location.search).get('org') ?? undefined)
if (hasLiveSession()) void fetchAhead(location.pathname)

const root = document.getElementById('root')
if (root) createRoot(root).render(<Root />)
