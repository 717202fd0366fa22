import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { usePage, usePageQuery } from '#kit/page.tsx'

/** Parameters of the page's own address: what is looked at survives a refresh and a copied link. */
export function usePageParams(): [URLSearchParams, (change: Readonly<Record<string, string | undefined>>) => void] {
  const page = usePage()
  const query = usePageQuery()
  const navigate = useNavigate()
  const { path, search } = page
  const set = useCallback(
    (change: Readonly<Record<string, string | undefined>>) => {
      const next = new URLSearchParams(search)
      // What is listed changes: it starts from its first page.
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
