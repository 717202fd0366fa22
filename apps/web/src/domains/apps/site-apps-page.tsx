import { ArrowDownOutlined, ArrowUpOutlined, EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import { projectGrants, updateGrant } from '@zhugong/contract/apps/grant-endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Button } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { refresh, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Tag } from '#kit/feedback.tsx'
import { call, showFailure } from '#kit/http.ts'
import { followRights, useProjectCode } from '#kit/me.ts'
import { usePage } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { type Difference, SettingsPage } from '#kit/settings-shell.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { AppName, Ending, StateTag } from './parts.tsx'

type Grant = OutputFor<typeof projectGrants>['list'][number]

/** Apps of a site with end dates and order, and apps it still needs. */
export default function SiteAppsPage() {
  const projectCode = useProjectCode()
  return projectCode === '*' ? <ProjectPicker why="应用设置按项目进行，请先选择一个" /> : <SiteApps projectCode={projectCode} />
}

function SiteApps({ projectCode }: { projectCode: string }) {
  const page = usePage()
  const read = useCall(projectGrants, { query: { projectCode } }, { quiet: true, keepPrevious: true })
  const [drafted, setDrafted] = useState<readonly Grant[]>()
  const [saving, setSaving] = useState(false)
  const mayOrder = useCan('app.order')
  useUnsaved(drafted !== undefined, page.cacheKey, page.entry.title)
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  // One row per app: of several grants, the one that ends last is shown.
  const existing = read.data.list.filter((grant, i, all) => all.findIndex((one) => one.appId === grant.appId) === i)
  const list = drafted ?? existing
  const was = new Map(existing.map((grant, i) => [grant.id, { visible: grant.visible, at: i }]))
  const changed = list.flatMap((grant, i) => {
    const before = was.get(grant.id)
    return before && (before.visible !== grant.visible || before.at !== i) ? [{ grant, before, at: i }] : []
  })
  const differences: Difference[] = changed.map(({ grant, before, at }) =>
    before.visible === grant.visible
      ? { label: grant.appName, before: `第 ${before.at + 1} 位`, after: `第 ${at + 1} 位` }
      : { label: grant.appName, before: before.visible ? '显示' : '隐藏', after: grant.visible ? '显示' : '隐藏' },
  )
  const move = (from: number, to: number) => {
    const next = [...list]
    const [one] = next.splice(from, 1)
    if (one) next.splice(to, 0, one)
    setDrafted(next)
  }
  const flip = async (grant: Grant) => {
    const yes =
      !grant.visible ||
      (await confirmDanger({
        thing: `隐藏 ${grant.appName}`,
        consequence: '只从本项目的菜单里收起；数据照常保存，设备、门禁和考勤照常运行，随时可以再显示。',
        verb: '隐藏',
        keep: '保持显示',
      }))
    if (yes) setDrafted(list.map((one) => (one.id === grant.id ? { ...one, visible: !one.visible } : one)))
  }
  const save = async () => {
    setSaving(true)
    try {
      for (const { grant, at } of changed)
        await call(updateGrant, { params: { id: grant.id }, body: { sort: at * 10, visible: grant.visible, version: grant.version } })
      setDrafted(undefined)
      await followRights()
    } catch (error) {
      showFailure(error)
    } finally {
      setSaving(false)
      refresh(projectGrants)
    }
  }
  return (
    <SettingsPage
      remark="排列和收起本项目的应用；期限由授权方决定，谁能用在“应用授权范围”"
      last={undefined}
      lock={mayOrder ? undefined : '由项目管理员排列；管理该项目的应用请到“项目设置 · 应用设置”'}
      differences={differences}
      saving={saving}
      onSave={save}
      onUndo={() => setDrafted(undefined)}
    >
      <Card title="应用" remark={`${list.length} 个，其中 ${list.filter((one) => one.required).length} 个必须`} flush>
        <table className="apps-table">
          <thead>
            <tr>
              <th>应用</th>
              <th>分类</th>
              <th>要求</th>
              <th>状态</th>
              <th>期限</th>
              <th className="num">近 7 日使用</th>
              <th className="mid">次序</th>
              <th className="mid">显示</th>
            </tr>
          </thead>
          <tbody>
            {list.map((grant, at) => (
              <tr key={grant.id}>
                <td>
                  <AppName icon={grant.appIcon} name={grant.appName} />
                </td>
                <td>{grant.categoryName}</td>
                <td>{grant.required ? <Tag tone="warning">必须</Tag> : <span className="zg-2">可选</span>}</td>
                <td>
                  <StateTag state={grant.state} />
                </td>
                <td>
                  <Ending deadline={grant.deadline} leftTime={grant.leftTime} />
                </td>
                <td className="num">{grant.users} 人</td>
                <td className="mid">
                  <Button
                    size="small"
                    type="text"
                    icon={<ArrowUpOutlined />}
                    disabled={at === 0}
                    aria-label={`${grant.appName} 上移`}
                    onClick={() => move(at, at - 1)}
                  />
                  <Button
                    size="small"
                    type="text"
                    icon={<ArrowDownOutlined />}
                    disabled={at === list.length - 1}
                    aria-label={`${grant.appName} 下移`}
                    onClick={() => move(at, at + 1)}
                  />
                </td>
                <td className="mid">
                  <Button
                    size="small"
                    type="text"
                    icon={grant.visible ? <EyeOutlined /> : <EyeInvisibleOutlined />}
                    disabled={grant.required}
                    title={grant.required ? '监管要求的必须应用不能隐藏' : undefined}
                    aria-label={grant.visible ? `隐藏 ${grant.appName}` : `显示 ${grant.appName}`}
                    onClick={() => void flip(grant)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      <Card title="尚未开通" remark={`${read.data.offered.length} 个`} flush>
        {read.data.offered.length === 0 ? (
          <Empty small text="已开通全部可用应用" />
        ) : (
          <div className="apps-cards">
            {read.data.offered.map((app) => (
              <div key={app.id} className="apps-card off">
                <AppName icon={app.icon} name={app.name}>
                  {app.summary}
                </AppName>
              </div>
            ))}
          </div>
        )}
      </Card>
    </SettingsPage>
  )
}
