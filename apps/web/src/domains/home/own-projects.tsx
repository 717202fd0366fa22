import { groupTypes } from '@zhugong/contract/access/group-types'
import { mostRecent, type OwnProject } from '@zhugong/contract/identity/own-projects'
import { useState } from 'react'
import { useEnter } from '#kit/enter.ts'
import { Tag } from '#kit/feedback.tsx'
import { age, time } from '#kit/format.ts'
import { Star } from '#kit/star.tsx'
import { projectTones } from '../organisation/public.tsx'

/** The usual state of a project (在建), not shown; other states are. */
const building = '003'

/** Starred and recently entered projects over all memberships, each entered by one click. */
export function OwnProjects({ starred, recent }: { starred: readonly OwnProject[]; recent: readonly OwnProject[] }) {
  return (
    <div className="own-projects">
      <Projects title="收藏的项目" rows={starred} none="进入后在左上角的项目列表中点星号，常去的项目就留在这里" />
      <Projects title="最近进入" remark={`最多 ${mostRecent} 个`} rows={recent} none="进入过的项目按先后留在这里" />
    </div>
  )
}

function Projects({ title, remark, rows, none }: { title: string; remark?: string; rows: readonly OwnProject[]; none: string }) {
  const enterScope = useEnter()
  const [entering, setEntering] = useState(false)
  const enter = async ({ groupId, groupsType, projectCode, name }: OwnProject) => {
    setEntering(true)
    // A group of type project has one project, so there is nothing to select.
    const project = groupsType === groupTypes.project ? {} : { projectCode, projectName: name }
    await enterScope({ groupId, ...project }, '/main')
    setEntering(false)
  }
  return (
    <section className="zg-card" aria-busy={entering}>
      <h2>
        {title} <small className="zg-2">{rows.length > 0 ? `${rows.length} 个` : remark}</small>
      </h2>
      {rows.length === 0 && <p className="zg-2">{none}</p>}
      <ul className="zg-bare-list">
        {rows.map((one) => (
          <li key={one.projectCode}>
            <Star project={one} groupId={one.groupId} />
            <button type="button" className="zg-bare go" disabled={entering} title={`进入 ${one.name}`} onClick={() => void enter(one)}>
              <b>{one.name}</b>
              <span className="zg-2">{one.groupsType === groupTypes.project ? '项目身份' : one.groupName}</span>
            </button>
            {one.prjStatusName && one.prjStatus !== building && (
              <Tag tone={projectTones[one.prjStatus] ?? 'neutral'} icon={false}>
                {one.prjStatusName}
              </Tag>
            )}
            {one.enteredTime && (
              <span className="zg-2 when" title={time(one.enteredTime)}>
                {age(one.enteredTime)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
