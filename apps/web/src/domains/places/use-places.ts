import { listPlaces, type SitePlace, type SitePlan } from '@zhugong/contract/places/places'
import { type PlaceNode, treeOf } from '@zhugong/contract/places/tree'
import { useEffect, useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import type { TreeOption } from '#kit/list-state.ts'
import { useMe } from '#kit/me.ts'
import { keepPlans } from './kept-plans.ts'

export interface Places {
  byId: ReadonlyMap<string, SitePlace>
  /** Places in use. */
  tree: readonly PlaceNode[]
  /** The plan of the place, or of the nearest place around it. */
  planFor: (placeId: string | null) => SitePlan | undefined
}

/** The tree of a project; undefined until it is known. `offline`: it and its plans are kept on the device. */
export function usePlaces(projectCode: string, { offline = false, enabled = true } = {}): Places | undefined {
  const account = useMe((me) => me.info?.id ?? '')
  const { data } = useCall(listPlaces, { query: { projectCode } }, { quiet: true, offline, enabled: enabled && projectCode !== '*' })
  const plans = data?.plans
  useEffect(() => {
    if (offline && plans) void keepPlans(account, plans)
  }, [offline, plans, account])
  return useMemo(() => {
    if (!data) return undefined
    const byId = new Map(data.list.map((one) => [one.id, one]))
    const planOf = new Map(data.plans.map((one) => [one.placeId, one]))
    const planFor = (placeId: string | null): SitePlan | undefined => {
      const place = placeId === null ? undefined : byId.get(placeId)
      return place && (planOf.get(place.id) ?? planFor(place.parentId))
    }
    return { byId, tree: treeOf(data.list.filter((one) => !one.archived)), planFor }
  }, [data])
}

const optionsOf = (nodes: readonly PlaceNode[]): TreeOption[] =>
  nodes.map(({ id: value, name: label, children }) =>
    children.length > 0 ? { value, label, children: optionsOf(children) } : { value, label },
  )

/** Choices of a list's filter by place; undefined where several projects are shown or the site has no tree. */
export function usePlaceFilter(projectCode: string): readonly TreeOption[] | undefined {
  const places = usePlaces(projectCode)
  return useMemo(() => (places && places.tree.length > 0 ? optionsOf(places.tree) : undefined), [places])
}
