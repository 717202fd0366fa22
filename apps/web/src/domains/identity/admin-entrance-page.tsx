import { Navigate } from 'react-router'
import { usePage } from '#kit/page.tsx'

/** Redirects an expired platform session (group type 0) to the login page; keeps the return URL, adds no history entry. */
export default function AdminEntrancePage() {
  const { search } = usePage()
  return <Navigate to={{ pathname: '/hqwladmin', search }} replace />
}
