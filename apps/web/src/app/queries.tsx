import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '#kit/call.ts'
import { watchExpiredLinks } from '#kit/expired-links.ts'
import { QuestionHost, ReasonHost } from '#kit/overlay-hosts.tsx'

watchExpiredLinks(document, () => void queryClient.invalidateQueries())

/** Wraps every page but the login pages: the query cache and the confirmation dialogs. */
export default function Queries({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      {children}
      <QuestionHost />
      <ReasonHost />
    </QueryClientProvider>
  )
}
