import { RectifyPage } from './rectify-work.tsx'

/** What exactly was found and demanded in this notice, and where does it stand? */
export default function GovDetailPage() {
  return <RectifyPage from={{ path: '/jgt/project/tgzg_index', name: '项目整改' }} />
}
