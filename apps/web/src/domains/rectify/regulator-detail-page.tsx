import { RectifyPage } from './rectify-work.tsx'

/** The site: what exactly, and how far? 监理: is the reply true? */
export default function RegulatorDetailPage() {
  return <RectifyPage from={{ path: '/safetySupervisionRectification/list', name: '监管整改' }} />
}
