import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { showFailure } from './http.ts'
import { type ScopeTarget, switchScope, useMe } from './me.ts'
import { findMenu } from './menu.ts'

/**
 * Enters a group or a project, then goes to `path`. Without a path the page stays if the new scope may see it, else the home page opens.
 * False when the user stays because of an unsaved form, or the server refused (the error has been shown).
 */
export function useEnter(): (to: ScopeTarget, path?: string) => Promise<boolean> {
  const navigate = useNavigate()
  return useCallback(
    async (to, path) => {
      try {
        if (!(await switchScope(to))) return false
      } catch (error) {
        showFailure(error)
        return false
      }
      // Uses the address bar, not the page's own location: a kept page may be hidden while this runs.
      const next = path ?? (findMenu(useMe.getState().menu, window.location.pathname) ? undefined : '/main')
      if (next) void navigate(next, { replace: path === undefined })
      return true
    },
    [navigate],
  )
}
