import { RectifyPage } from './rectify-work.tsx'

/** Whoever's turn it is: do my step. */
export default function OrderDetailPage() {
  return <RectifyPage from={{ path: '/safetyP/abarbeitung/list', name: '项目安全整改' }} />
}
