import { StarFilled, StarOutlined } from '@ant-design/icons'
import { listOwnProjects, markProject } from '@zhugong/contract/identity/own-projects'
import { listOnboarding } from '@zhugong/contract/onboarding/endpoints'
import { useAct } from './call.ts'

/** Adds a project to the user's starred projects or removes it, for the active group or another of the user's groups. */
export function Star({ project, groupId }: { project: { projectCode: string; name: string; starred: boolean }; groupId?: string }) {
  const mark = useAct(markProject, { success: false, refreshes: [listOwnProjects, listOnboarding] })
  const { projectCode, name, starred } = project
  return (
    <button
      type="button"
      className="zg-bare zg-star"
      aria-pressed={starred}
      aria-label={`${starred ? '取消收藏' : '收藏'} ${name}`}
      disabled={mark.running}
      onClick={() => void mark.run({ params: { projectCode }, body: { starred: !starred, groupId } })}
    >
      {starred ? <StarFilled /> : <StarOutlined />}
    </button>
  )
}
