import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { usePage, usePageQuery } from '#kit/page.tsx'

/** State of the page in its URL, so that it survives a reload and can be shared as a link. */
export function usePageParams(): [URLSearchParams, (change: Readonly<Record<string, string | undefined>>) => void] {
  const page = usePage()
  const query = usePageQuery()
  const navigate = useNavigate()
  const { path, search } = page
  const set = useCallback(
    (change: Readonly<Record<string, string | undefined>>) => {
      const next = new URLSearchParams(search)
      // Changed filters start at the first page.
      next.delete('page')
      for (const [name, value] of Object.entries(change)) {
        if (value) next.set(name, value)
        else next.delete(name)
      }
      const text = next.toString()
      void navigate({ pathname: path, search: text ? `?${text}` : '' }, { replace: true })
    },
    [navigate, path, search],
  )
  return [query, set]
}
