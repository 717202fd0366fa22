import { StarFilled, StarOutlined } from '@ant-design/icons'
import { onboardingList, type ReadinessRow } from '@zhugong/contract/onboarding/endpoints'
import { useListPage } from '#kit/list.ts'

/** What is done with one site of the list, whether it is shown as card, row or point. */
export interface RowActs {
  open: (row: ReadinessRow) => void
  details: (row: ReadinessRow) => void
  star: (row: ReadinessRow) => void
}

/** All the sites of the group, whichever one is worked for: here one goes from one to another. */
export const useNavigationList = () => useListPage(onboardingList, { scope: { projectCode: '*' }, group: '*', own: ['view'] })
export type NavigationList = ReturnType<typeof useNavigationList>

export function Star({ row, acts }: { row: ReadinessRow; acts: Pick<RowActs, 'star'> }) {
  return (
    <button
      type="button"
      className="zg-bare onb-star"
      aria-pressed={row.starred}
      aria-label={`${row.starred ? '取消收藏' : '收藏'} ${row.name}`}
      onClick={() => acts.star(row)}
    >
      {row.starred ? <StarFilled /> : <StarOutlined />}
    </button>
  )
}
