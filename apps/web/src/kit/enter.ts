import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { showFailure } from './http.ts'
import { type ScopeTarget, switchScope, useMe } from './me.ts'
import { findMenu } from './menu.ts'

/**
 * Enters a group or a project, then goes to `path`; without one the page stays where the new scope may see it, else home.
 * False when the user stays with an unsent form, or the server refused (which has been shown).
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
      // The address bar, not the page's own location: a kept page may be hidden while this runs.
      const next = path ?? (findMenu(useMe.getState().menu, window.location.pathname) ? undefined : '/main')
      if (next) void navigate(next, { replace: path === undefined })
      return true
    },
    [navigate],
  )
}
