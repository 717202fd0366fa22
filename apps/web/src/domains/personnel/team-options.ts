import { teamTree } from '@zhugong/contract/labour/units'
import { useCall } from '#kit/call.ts'

/** Units and teams on site, as filter options. */
export function useTeamOptions(scope: { projectCode?: string }) {
  const tree = useCall(teamTree, { query: scope }, { quiet: true, staleMs: 30_000 })
  const corps = (tree.data ?? []).map((c) => ({ value: c.id, label: c.name, count: c.count }))
  const teams = (tree.data ?? []).flatMap((c) => (c.children ?? []).map((t) => ({ value: t.id, label: t.name, count: t.count })))
  return { tree, corps, teams }
}
