import { type GrantRow, grantsOf, grantTargets, projectGrants, type RangeRule } from '@zhugong/contract/apps/grant-endpoints'
import { inRange } from '@zhugong/contract/apps/ranges'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { day } from '#kit/format.ts'
import { call, showFailure } from '#kit/http.ts'
import { Choice, Choices } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { usePageParam } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { AppName } from './parts.tsx'
import { ruleOf, useRanges } from './use-ranges.ts'

type Unit = RangeRule['units'][number]
type CellMode = Unit['mode'] | 'none'
const cellWords: Record<CellMode, string> = { all: '全部', posts: '岗位', users: '指定', none: '无' }

/** Units and posts of a site that may use each app. */
export default function ProjectRangePage() {
  const chosen = useProjectCode()
  const projectCode = usePageParam('projectCode') || (chosen === '*' ? '' : chosen)
  return projectCode ? (
    <ByProject key={projectCode} projectCode={projectCode} />
  ) : (
    <ProjectPicker why="应用授权范围按项目设置，请先选择一个" />
  )
}

function ByProject({ projectCode }: { projectCode: string }) {
  const read = useCall(projectGrants, { query: { projectCode } }, { quiet: true })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  return <Matrix groupId={read.data.project.groupId} name={read.data.project.name} />
}

const cellOf = (rule: RangeRule, corpCode: string): CellMode =>
  rule.mode === 'all' ? 'all' : (rule.units.find((unit) => unit.corpCode === corpCode)?.mode ?? 'none')

function Matrix({ groupId, name }: { groupId: string; name: string }) {
  const ranges = useRanges(groupId)
  const [open, setOpen] = useState<{ grant: GrantRow; corpCode: string }>()
  const [copying, setCopying] = useState(false)
  if (ranges.error) return <ErrorPanel error={ranges.error} retry={ranges.retry} />
  if (ranges.loading || !ranges.people) return <DetailSkeleton />
  const { list, people } = ranges
  const today = day(Date.now())
  return (
    <PageShell
      remark={`${name}；单位退场后自动失去它的格子，企业自己的范围按部门在企业设置`}
      actions={<Button onClick={() => setCopying(true)}>从其他项目复制</Button>}
    >
      {list.length === 0 ? (
        <Empty text="项目还没有应用" />
      ) : (
        <Card title="应用 × 参建单位" remark="点击格子选岗位或人员；没有归属单位的项目人员在最后一列" flush>
          <div className="apps-scroll">
            <table className="apps-table">
              <thead>
                <tr>
                  <th>应用</th>
                  {people.units.map((unit) => (
                    <th key={unit.corpCode} className="mid apps-narrow" title={unit.part}>
                      {unit.name}
                    </th>
                  ))}
                  <th className="mid apps-narrow">项目人员</th>
                  <th className="num apps-narrow">合计</th>
                </tr>
              </thead>
              <tbody>
                {list.map((grant) => {
                  const rule = ruleOf(grant)
                  const own = people.people.filter((one) => one.corps.length === 0)
                  return (
                    <tr key={grant.id}>
                      <td>
                        <AppName icon={grant.appIcon} name={grant.appName} />
                      </td>
                      {people.units.map((unit) => (
                        <td key={unit.corpCode} className="mid">
                          <Button
                            size="small"
                            type={cellOf(rule, unit.corpCode) === 'none' ? 'text' : 'default'}
                            aria-label={`${cellWords[cellOf(rule, unit.corpCode)]} ${grant.appName} ${unit.name}`}
                            onClick={() => setOpen({ grant, corpCode: unit.corpCode })}
                          >
                            {cellWords[cellOf(rule, unit.corpCode)]}
                          </Button>
                        </td>
                      ))}
                      <td className="mid">
                        <Button size="small" title={`${grant.appName} 项目人员`} onClick={() => setOpen({ grant, corpCode: '' })}>
                          {own.filter((one) => inRange(rule, one, today)).length} / {own.length} 人
                        </Button>
                      </td>
                      <td className="num">{people.people.filter((one) => inRange(rule, one, today)).length} 人</td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </div>
        </Card>
      )}
      {open && <CellDrawer grant={open.grant} corpCode={open.corpCode} ranges={ranges} onClose={() => setOpen(undefined)} />}
      {copying && <CopyDrawer groupId={groupId} ranges={ranges} onClose={() => setCopying(false)} />}
    </PageShell>
  )
}

interface DrawerProps {
  ranges: ReturnType<typeof useRanges>
  onClose: () => void
}

/** Switches a rule from all to some: everybody present keeps access until their cell is changed. */
function named(rule: RangeRule, people: NonNullable<DrawerProps['ranges']['people']>): RangeRule {
  if (rule.mode === 'some') return rule
  const units = people.units.map((unit): Unit => ({ corpCode: unit.corpCode, mode: 'all', posts: [], userIds: [] }))
  return { ...rule, mode: 'some', units, userIds: people.people.filter((one) => one.corps.length === 0).map((one) => one.userId) }
}

function CellDrawer({ grant, corpCode, ranges, onClose }: DrawerProps & { grant: GrantRow; corpCode: string }) {
  const people = ranges.people
  const rule = ruleOf(grant)
  const cell = rule.units.find((unit) => unit.corpCode === corpCode)
  const own = (people?.people ?? []).filter((one) => (corpCode ? one.corps.includes(corpCode) : one.corps.length === 0))
  const today = day(Date.now())
  const [mode, setMode] = useState<CellMode>(corpCode ? cellOf(rule, corpCode) : 'users')
  const [posts, setPosts] = useState<string[]>(cell?.posts ?? [])
  const [userIds, setUserIds] = useState<string[]>(
    corpCode ? (cell?.userIds ?? []) : own.filter((one) => inRange(rule, one, today)).map((one) => one.userId),
  )
  if (!people) return null
  const unit = people.units.find((one) => one.corpCode === corpCode)
  const save = async () => {
    const base = named(rule, people)
    const ownIds = new Set(own.map((one) => one.userId))
    const next: RangeRule = corpCode
      ? {
          ...base,
          units: [
            ...base.units.filter((one) => one.corpCode !== corpCode),
            ...(mode === 'none' ? [] : [{ corpCode, mode, posts, userIds }]),
          ],
        }
      : { ...base, userIds: [...base.userIds.filter((id) => !ownIds.has(id)), ...userIds] }
    if (await ranges.save(grant, next)) onClose()
  }
  const modes = corpCode ? (['all', 'posts', 'users', 'none'] as const) : (['users'] as const)
  return (
    <PageDrawer
      open
      size={520}
      title={`${grant.appName} · ${unit?.name ?? '项目人员'}`}
      onClose={onClose}
      footer={
        <Button type="primary" loading={ranges.saving} onClick={() => void save()}>
          保存
        </Button>
      }
    >
      {corpCode && (
        <Segmented
          aria-label="范围"
          block
          value={mode}
          options={modes.map((value) => ({ value, label: cellWords[value] }))}
          onChange={(next) => setMode(next as CellMode)}
        />
      )}
      {mode === 'posts' && (
        <Choices
          aria-label="岗位"
          placeholder="选择岗位"
          value={posts}
          options={people.posts.map((post) => ({ value: post, label: post }))}
          onChange={(next) => setPosts(next ?? [])}
        />
      )}
      {mode === 'users' && (
        <Choices
          aria-label="人员"
          placeholder="选择人员"
          value={userIds}
          options={own.map((one) => ({ value: one.userId, label: `${one.name}${one.posts.length ? `（${one.posts.join('、')}）` : ''}` }))}
          onChange={(next) => setUserIds(next ?? [])}
        />
      )}
      <Notice tone="info">
        {own.length === 0
          ? '该单位没有人有本项目的账号。'
          : `该单位有 ${own.length} 人有本项目的账号，其中 ${own.filter((one) => inRange(rule, one, today)).length} 人现在能用。`}
        他在应用里能做什么由角色决定。
      </Notice>
    </PageDrawer>
  )
}

/** Copies the ranges of another project for the units that both projects have. */
function CopyDrawer({ groupId, ranges, onClose }: DrawerProps & { groupId: string }) {
  const targets = useCall(grantTargets, { query: { type: '3' } }, { quiet: true })
  const [from, setFrom] = useState<string>()
  const copy = async () => {
    if (!from || !ranges.people) return
    const here = new Set(ranges.people.units.map((unit) => unit.corpCode))
    try {
      const { list } = await call(grantsOf, { query: { groupId: from, size: 500 } })
      for (const grant of ranges.list) {
        const there = list.find((one) => one.appId === grant.appId)?.range
        if (there?.mode !== 'some') continue
        const units = there.units
          .filter((unit) => here.has(unit.corpCode))
          .map((unit) => ({ ...unit, userIds: [], mode: unit.mode === 'users' ? ('all' as const) : unit.mode }))
        if (!(await ranges.save(grant, { ...named(ruleOf(grant), ranges.people), units }))) return
      }
      onClose()
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <PageDrawer
      open
      size={480}
      title="从其他项目复制"
      onClose={onClose}
      footer={
        <Button type="primary" disabled={!from} loading={ranges.saving} onClick={() => void copy()}>
          复制
        </Button>
      }
    >
      <Choice
        aria-label="项目"
        placeholder="选择项目"
        value={from}
        options={(targets.data?.list ?? []).filter((one) => one.id !== groupId).map((one) => ({ value: one.id, label: one.name }))}
        onChange={setFrom}
      />
      <Notice tone="info">只复制两个项目都有的单位；按人指定的格子改为该单位全部，人员各项目不同。</Notice>
    </PageDrawer>
  )
}
