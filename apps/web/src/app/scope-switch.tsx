import { DownOutlined } from '@ant-design/icons'
import { myProjects } from '@zhugong/contract/access/endpoints'
import { listOwnProjects } from '@zhugong/contract/identity/own-projects'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useEnter } from '#kit/enter.ts'
import { Empty, ErrorPanel, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { FloatingPanel } from '#kit/floating.tsx'
import { type ScopeTarget, useMe } from '#kit/me.ts'
import { Star } from '#kit/star.tsx'

const typeNames = ['平台', '政府', '企业', '项目']
/** With fewer projects than this all are visible at once, so starred and recent ones are not listed first. */
const worthKeeping = 8
/** Number of recently entered groups shown; the page of all groups lists the others. */
const recentShown = 3

/** Shows the active group and project, and switches them: the user's groups at the left, the active group's projects at the right. */
export function ScopeSwitch() {
  const { info, project, groups } = useMe()
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const enter = useEnter()
  const shown = project?.name ?? info?.groupName ?? '选择身份'
  const all = info && info.groupsType !== 3 && !project

  const change = async (to: ScopeTarget) => {
    setBusy(true)
    if (await enter(to)) setOpen(false)
    setBusy(false)
  }

  return (
    <FloatingPanel
      trigger="click"
      placement="bottomLeft"
      open={open}
      onOpenChange={setOpen}
      content={
        <div className="app-scope" aria-busy={busy}>
          {groups.length > 1 && (
            <div className="groups">
              <h3>身份</h3>
              {groups.map((group) => (
                <button
                  key={group.id}
                  type="button"
                  className="zg-bare row"
                  disabled={!group.enabled || busy}
                  aria-current={group.id === info?.groupId ? true : undefined}
                  onClick={() => void change({ groupId: group.id })}
                >
                  <Tag tone="neutral">{typeNames[group.groupsType] ?? ''}</Tag>
                  <span>{group.name}</span>
                  {group.openAlarms > 0 && <span className="count">{group.openAlarms}</span>}
                </button>
              ))}
            </div>
          )}
          <Projects
            current={project?.projectCode}
            busy={busy}
            onChoose={(to) => void change({ ...to, groupId: info?.groupId ?? undefined })}
          />
        </div>
      }
    >
      <button type="button" className="zg-bare switch" title={shown}>
        <span>{shown}</span>
        {all && <small>全部项目</small>}
        <DownOutlined style={{ fontSize: 10 }} />
      </button>
    </FloatingPanel>
  )
}

function Projects({
  current,
  busy,
  onChoose,
}: {
  current: string | undefined
  busy: boolean
  onChoose: (to: { projectCode: string; projectName?: string }) => void
}) {
  const [word, setWord] = useState('')
  const { data, error, isPending, refetch } = useCall(myProjects, { query: {} }, { quiet: true, group: '*' })
  const own = useCall(listOwnProjects, {}, { quiet: true, group: '*' })
  const starred = new Set(own.data?.starred.map((one) => one.projectCode))
  const areas = (data ?? [])
    .map((area) => ({ ...area, projects: area.projects.filter((one) => one.name.includes(word.trim())) }))
    .filter((area) => area.projects.length > 0)
  const ofGroup = new Map(data?.flatMap((area) => area.projects.map((one) => [one.code, one])))
  const kept = (title: string, list: readonly { projectCode: string }[] = []) => ({
    code: title,
    name: title,
    projects: list.flatMap(({ projectCode }) => ofGroup.get(projectCode) ?? []),
  })
  // Users with few projects see all of them at once.
  const first =
    word.trim() || ofGroup.size < worthKeeping
      ? []
      : [kept('收藏', own.data?.starred), kept('最近进入', own.data?.recent.slice(0, recentShown))].filter(
          (part) => part.projects.length > 0,
        )
  return (
    <div className="projects">
      <h3>项目</h3>
      <input
        className="app-input"
        placeholder="搜索项目"
        aria-label="搜索项目"
        maxLength={50}
        onChange={(event) => setWord(event.target.value)}
      />
      <div className="list">
        {isPending || own.isPending ? (
          <TableSkeleton rows={4} columns={2} />
        ) : error ? (
          <ErrorPanel error={error} retry={refetch} />
        ) : (
          <>
            <button
              type="button"
              className="zg-bare row"
              disabled={busy}
              aria-current={current ? undefined : true}
              onClick={() => onChoose({ projectCode: '*' })}
            >
              全部项目
            </button>
            {[...first, ...areas].map((area) => (
              <div key={area.code}>
                <div className="area">{area.name}</div>
                {area.projects.map((one) => (
                  <div key={one.code} className="with-star">
                    <button
                      type="button"
                      className="zg-bare row"
                      disabled={busy}
                      aria-current={one.code === current ? true : undefined}
                      onClick={() => onChoose({ projectCode: one.code, projectName: one.name })}
                    >
                      {one.name}
                    </button>
                    <Star project={{ projectCode: one.code, name: one.name, starred: starred.has(one.code) }} />
                  </div>
                ))}
              </div>
            ))}
            {areas.length === 0 && <Empty small text="没有匹配的项目" />}
          </>
        )}
      </div>
    </div>
  )
}
