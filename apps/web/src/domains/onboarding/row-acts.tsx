import { onboardingList, type ReadinessRow } from '@zhugong/contract/onboarding/endpoints'
import { useListPage } from '#kit/list.ts'

/** Actions on one site, shared by card, table row and map point. */
export interface RowActs {
  open: (row: ReadinessRow) => void
  details: (row: ReadinessRow) => void
}

/** All sites of the group, regardless of the selected project, because this page is for switching between them. */
export const useNavigationList = () => useListPage(onboardingList, { scope: { projectCode: '*' }, group: '*', own: ['view'] })
export type NavigationList = ReturnType<typeof useNavigationList>
