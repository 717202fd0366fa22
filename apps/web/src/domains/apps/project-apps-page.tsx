import { PlusOutlined } from '@ant-design/icons'
import { grantSources } from '@zhugong/contract/apps/codes'
import { projectGrants, updateGrant } from '@zhugong/contract/apps/grant-endpoints'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { usePageParam } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { GrantActions, GrantDrawer, GrantFile } from './grant-drawers.tsx'
import { AppName, Ending, StateTag } from './parts.tsx'

/** Apps of one project with end dates and usage, for the group that granted them. */
export default function ProjectAppsPage() {
  const chosen = useProjectCode()
  const projectCode = usePageParam('projectCode') || (chosen === '*' ? '' : chosen)
  return projectCode ? (
    <ProjectApps key={projectCode} projectCode={projectCode} />
  ) : (
    <ProjectPicker why="应用设置按项目进行，请先选择一个" />
  )
}

function ProjectApps({ projectCode }: { projectCode: string }) {
  const read = useCall(projectGrants, { query: { projectCode } }, { quiet: true, keepPrevious: true })
  const must = useAct(updateGrant, { success: '已办理' })
  const [file, setFile] = useState<string>()
  const [adding, setAdding] = useState(false)
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  const { list, project } = read.data
  const passed = list.filter((grant) => grant.parentGrantId)
  const unused = list.filter((grant) => !grant.everUsed)
  return (
    <PageShell
      remark={`${project.name}；多个项目一起办理请到“批量应用授权”`}
      actions={
        <Button type="primary" icon={<PlusOutlined />} disabled={read.data.offered.length === 0} onClick={() => setAdding(true)}>
          增加应用
        </Button>
      }
    >
      <FigureStrip
        items={[
          { label: '应用', value: list.length, unit: '个', remark: `还有 ${read.data.offered.length} 个未开通` },
          { label: '上级下发', value: passed.length, unit: '个' },
          { label: '必须', value: list.filter((grant) => grant.required).length, unit: '个' },
          { label: '从未使用', value: unused.length, unit: '个', tone: unused.length ? 'warning' : undefined },
        ]}
      />
      <Card title="应用" remark="关闭应用后门禁、设备、考勤保存和监管对接照常进行" flush>
        {list.length === 0 ? (
          <Empty small text="还没有应用" />
        ) : (
          <table className="apps-table">
            <thead>
              <tr>
                <th>应用</th>
                <th>来源</th>
                <th>开始</th>
                <th>期限</th>
                <th>状态</th>
                <th>要求</th>
                <th className="num">近 7 日使用</th>
                <th className="num">绑定设备</th>
                <th>操作</th>
              </tr>
            </thead>
            <tbody>
              {list.map((grant) => (
                <tr key={grant.id}>
                  <td>
                    <AppName icon={grant.appIcon} name={grant.appName}>
                      {grant.categoryName}
                    </AppName>
                  </td>
                  <td>
                    {grantSources[grant.source]}
                    {grant.parentGrantId && <span className="zg-2"> {grant.grantBy}</span>}
                  </td>
                  <td>{grant.start}</td>
                  <td>
                    <Ending deadline={grant.deadline} leftTime={grant.leftTime} />
                  </td>
                  <td>
                    <StateTag state={grant.state} />
                  </td>
                  <td>
                    {grant.mayChange ? (
                      <Button
                        size="small"
                        type="link"
                        onClick={() =>
                          void must.run({ params: { id: grant.id }, body: { required: !grant.required, version: grant.version } })
                        }
                      >
                        {grant.required ? '取消必须' : '设为必须'}
                      </Button>
                    ) : grant.required ? (
                      <Tag tone="warning">必须</Tag>
                    ) : (
                      <span className="zg-2">可选</span>
                    )}
                  </td>
                  <td className="num">{grant.everUsed ? `${grant.users} 人` : '从未使用'}</td>
                  <td className="num">{grant.devices}</td>
                  <td>
                    <GrantActions grant={grant} onOpen={() => setFile(grant.id)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Card>
      {file && <GrantFile id={file} onClose={() => setFile(undefined)} />}
      {adding && <GrantDrawer groupId={project.groupId} onClose={() => setAdding(false)} />}
    </PageShell>
  )
}
