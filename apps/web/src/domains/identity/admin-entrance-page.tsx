import { Navigate } from 'react-router'
import { usePage } from '#kit/page.tsx'

/** Where a lost session of group type 0 lands; gives the way back along and leaves no step in the history. */
export default function AdminEntrancePage() {
  const { search } = usePage()
  return <Navigate to={{ pathname: '/hqwladmin', search }} replace />
}
