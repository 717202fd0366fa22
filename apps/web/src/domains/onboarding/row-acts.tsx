import { onboardingList, type ReadinessRow } from '@zhugong/contract/onboarding/endpoints'
import { useListPage } from '#kit/list.ts'

/** What is done with one site of the list, whether it is shown as card, row or point. */
export interface RowActs {
  open: (row: ReadinessRow) => void
  details: (row: ReadinessRow) => void
}

/** All the sites of the group, whichever one is worked for: here one goes from one to another. */
export const useNavigationList = () => useListPage(onboardingList, { scope: { projectCode: '*' }, group: '*', own: ['view'] })
export type NavigationList = ReturnType<typeof useNavigationList>
